import { boot } from '../core/kernel.ts'
import { loadPlugins } from '../core/loader.ts'
import { createLog } from '../core/log.ts'
import { pluginsConfigPath } from '../core/paths.ts'
import { closedDb, placeholderConfig } from './catalogue.ts'

const block = /```graphql schema\n[\s\S]*?```/

/** A page of the docs with the schema that the configured plugins make in its block ```` ```graphql schema ````. */
export async function withSchema(page: string, cwd: string): Promise<string> {
  const config = placeholderConfig(pluginsConfigPath(undefined, cwd))
  const plugins = await loadPlugins(config.pluginsConfigPath)
  const { commands } = boot({ config, db: closedDb, log: createLog('silent'), plugins })
  const group = await commands.graphql?.load()
  if (group?.schema === undefined)
    throw new TypeError(`${config.pluginsConfigPath} names no plugin with the command graphql schema.`)
  const { schema } = (await group.schema.run({} as never)) as { schema: string }
  return page.replace(block, () => `\`\`\`graphql schema\n${schema}\`\`\``)
}
