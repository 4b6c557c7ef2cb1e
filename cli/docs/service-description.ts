import type { ErrorDefinitions } from '../../core/contract/error-codes.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { loadPlugins } from '../../core/kernel/load.ts'
import type { SettingView } from '../../core/settings/types.ts'
import { bootService } from '../boot.ts'
import { describeAll } from '../catalogue.ts'
import { pluginsConfigPath } from '../config/plugins-config.ts'
import { closedDb, placeholderConfig } from '../database/closed.ts'
import type { Catalogue } from '../framework/catalogue.ts'
import { localProgram } from '../local-program.ts'
import { createLog } from '../log/json-log.ts'
import type { ApiDocument } from './api-document.ts'

/** What a service with the configured plugins offers, described without a database or a home. */
export interface ServiceDescription {
  openapi: ApiDocument
  /** The schema in GraphQL's schema language, as `galley graphql schema` prints it. */
  graphql: string
  /** With their defaults, by key. */
  settings: readonly SettingView[]
  /** Every error code there is. */
  errors: ErrorDefinitions
  commands: Catalogue
}

export async function describeService(env: NodeJS.ProcessEnv, cwd: string): Promise<ServiceDescription> {
  const config = placeholderConfig(pluginsConfigPath(env.GALLEY_PLUGINS, cwd))
  const plugins = await loadPlugins(config.pluginsConfigPath)
  const kernel = await bootService({ config, db: closedDb, log: createLog('silent'), plugins })
  return {
    openapi: await apiDocumentOf(kernel),
    graphql: await graphqlSchemaOf(kernel),
    settings: kernel.settings.list(),
    errors: kernel.errors,
    commands: await describeAll({ env, cwd, local: localProgram(env) })
  }
}

async function apiDocumentOf(kernel: Kernel): Promise<ApiDocument> {
  const app = await kernel.createApp()
  const response = await app.inject('/openapi.json')
  await app.close()
  if (response.statusCode !== 200) throw new TypeError('No configured plugin has the route GET /openapi.json.')
  // A document in a file is of no server: this is where one listens that nobody configured.
  return { ...response.json<ApiDocument>(), servers: [{ url: 'http://127.0.0.1:8000' }] }
}

async function graphqlSchemaOf({ commands }: Kernel): Promise<string> {
  const entry = commands.graphql
  const group = entry !== undefined && 'load' in entry ? await entry.load() : {}
  if (group.schema === undefined) throw new TypeError('No configured plugin has the command graphql schema.')
  // It reads nothing of its context.
  const { schema }: { schema: string } = await group.schema.run({} as never)
  return schema
}
