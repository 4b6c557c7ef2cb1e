import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolders } from '#files/make-folders'
import { ConflictError, InputError } from '../../core/contract/errors.ts'
import { kebabCase } from '../../core/kernel/manifest-rules.ts'
import { packageRoot } from '../../core/paths.ts'
import { version } from '../../core/version.ts'
import type { PluginRow } from './check-plugins.ts'

export interface Created {
  name: string
  folder: string
  files: string[]
}

/**
 * Writes a plugin that passes the contract suite: a route, a setting and a command.
 * @throws InputError for a name that is none, ConflictError when the name or the folder is taken; nothing is written then.
 */
export async function createPlugin({
  name,
  folder,
  others
}: {
  name: string
  folder: string
  others: readonly PluginRow[]
}): Promise<Created> {
  if (!kebabCase.test(name) || name.length > 40)
    throw new InputError({ name: 'must be in kebab case, with at most 40 characters: opening-hours' })
  const owner = others.find(row => row.name === name || row.commands.includes(name))
  if (owner !== undefined)
    throw new ConflictError(
      `${name} is already the name of ${owner.name === name ? 'a plugin' : `a command of ${owner.name}`}: choose another.`
    )
  if (existsSync(folder)) throw new ConflictError(`${folder} is already there: choose another folder with --folder.`)
  const files = filesOf(name)
  for (const [file, text] of Object.entries(files)) {
    await makeFolders(path.dirname(path.join(folder, file)))
    await writeFile(path.join(folder, file), text)
  }
  return { name, folder, files: Object.keys(files) }
}

const filesOf = (name: string): Record<string, string> => ({
  'package.json': `${JSON.stringify(manifestOf(name), null, 2)}\n`,
  'plugin.js': pluginOf(name),
  'commands.js': commandsOf(name),
  'test/plugin.test.js': testOf(name),
  'README.md': readmeOf(name)
})

/** A checkout is no release that a registry has. */
const isInstalled = packageRoot.split(path.sep).includes('node_modules')

const manifestOf = (name: string) => ({
  name: `galley-${name}`,
  version: '0.1.0',
  type: 'module',
  exports: './plugin.js',
  files: ['*.js', 'migrations'],
  scripts: { test: 'node --test "test/*.test.js"' },
  peerDependencies: { galley: `>=${version}` },
  devDependencies: { galley: isInstalled ? version : `file:${packageRoot}` }
})

const pluginOf = (name: string): string => `// @ts-check
import { access, CONTRACT, definePlugin, setting, Type } from 'galley/plugin'

export default definePlugin({
  name: '${name}',
  contract: CONTRACT,
  describe: 'Greets whoever asks',
  settings: {
    ${snake(name)}_greeting: setting(Type.String({ minLength: 1, maxLength: 200 }), {
      default: 'Hello',
      describe: 'What whoever asks is greeted with.'
    })
  },
  setup({ settings }) {
    const greeting = () => settings.get('${snake(name)}_greeting')
    return {
      services: {},
      routes: async app => {
        app.get('/api/${name}', { config: { access: access.public }, schema: greetSchema }, async () => ({
          greeting: greeting()
        }))
      },
      commands: {
        '${name}': {
          describe: 'Greetings',
          load: async () => (await import('./commands.js')).greetingCommands(greeting)
        }
      }
    }
  }
})

const greetSchema = {
  operationId: 'greet${pascal(name)}',
  tags: ['${name}'],
  summary: 'The greeting',
  response: { 200: Type.Object({ greeting: Type.String() }) }
}
`

const commandsOf = (name: string): string => `// @ts-check
import { command } from 'galley/plugin'

/**
 * \`galley ${name}\`.
 * @param {() => string} greeting
 */
export const greetingCommands = greeting => ({
  greet: command({
    describe: 'Print the greeting',
    returns: '{greeting}',
    args: {},
    run: async () => ({ greeting: greeting() }),
    text: ({ greeting }) => greeting
  })
})
`

const testOf = (name: string): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, testPlugin } from 'galley/testing'
import plugin from '../plugin.js'

await testPlugin(plugin)

test('the greeting is the setting', async () => {
  const service = await startTestService({ plugins: [plugin], settings: { ${snake(name)}_greeting: 'Good day' } })
  try {
    assert.deepEqual((await service.anonymous('GET', '/api/${name}')).body, { greeting: 'Good day' })
    assert.equal((await service.run('${name}', 'greet')).out, 'Good day')
  } finally {
    await service.close()
  }
})
`

const readmeOf = (name: string): string => `# galley-${name}

A plugin for galley. \`npm test\` runs the contract suite and its own tests; \`npm pack\` makes the tarball that an operator installs.
`

const snake = (name: string): string => name.replaceAll('-', '_')
const pascal = (name: string): string =>
  name.replaceAll(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase())
