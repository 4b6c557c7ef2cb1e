import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { BootError } from '../../../core/contract/boot-error.ts'
import type { Plugin } from '../../../core/contract/plugin.ts'
import { loadPlugins } from '../../../core/kernel/load.ts'
import { packageRoot } from '../../../core/paths.ts'
import { bootPlugins, fixture } from '../../helpers/kernel.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-loader-'))
after(() => rmSync(folder, { recursive: true }))

let configs = 0
function configFile(content: unknown): string {
  const file = path.join(folder, `plugins-${++configs}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const load = (...plugins: unknown[]) => loadPlugins(configFile({ plugins }))

function writePackage(name: string, manifest: object, files: Record<string, string>): void {
  const root = path.join(folder, 'node_modules', name)
  for (const [file, text] of Object.entries({ ...files, 'package.json': JSON.stringify({ name, ...manifest }) })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
}

const source = (name: string) => `{ name: '${name}', contract: 1, describe: 'x', setup: () => ({ services: {} }) }`

async function problemsOf(loading: Promise<unknown>) {
  const error = await loading.then(
    () => assert.fail('it loaded'),
    (reason: unknown) => reason
  )
  assert.ok(error instanceof BootError, String(error))
  for (const { remedy } of error.problems) assert.match(remedy, /^[A-Z].+\.$/)
  return error.problems.map(({ plugin, cause }) => `${plugin}: ${cause}`)
}

test('a folder with a plugin module, a file, and a built-in named as the package’s own configuration names it are loaded', async () => {
  const plugins = await load(fixture('guestbook'), path.join(fixture('misbehaving'), 'takes-job.ts'), './plugins/gates')
  assert.deepEqual(
    plugins.map(({ name }) => name),
    ['guestbook', 'takes-job', 'gates']
  )
})

test('a built-in is the one that runs now, from wherever the configuration is', async () => {
  const [here] = await load('./plugins/gates')
  const [there] = await load(path.join(packageRoot, 'plugins/gates'))
  assert.equal(here, there)
})

test('a folder of the operator’s own hides no built-in and is found beside the configuration', async () => {
  mkdirSync(path.join(folder, 'plugins/own'), { recursive: true })
  writeFileSync(path.join(folder, 'plugins/own/plugin.mjs'), `export default ${source('own')}`)
  const [own] = await load('./plugins/own')
  assert.equal(own?.name, 'own')
})

const packages: [title: string, name: string, manifest: object, files: Record<string, string>][] = [
  [
    'that exports only for import',
    '@acme/esm-only',
    { type: 'module', exports: { '.': { import: './plugin.js' } } },
    { 'plugin.js': `export default ${source('@acme/esm-only')}` }
  ],
  [
    'with one export and nested conditions',
    'esm-nested',
    { type: 'module', exports: { types: './x.d.ts', node: { import: './lib/plugin.js' }, default: './browser.js' } },
    { 'lib/plugin.js': `export default ${source('esm-nested')}`, 'browser.js': 'throw new Error("not for Node")' }
  ],
  [
    'that exports one file',
    'esm-file',
    { type: 'module', exports: './plugin.js' },
    { 'plugin.js': `export default ${source('esm-file')}` }
  ],
  [
    'for import and for require',
    'both',
    { exports: { require: './plugin.cjs', import: './plugin.mjs' } },
    { 'plugin.mjs': `export default ${source('both')}`, 'plugin.cjs': 'throw new Error("the wrong one")' }
  ],
  ['with main', 'with-main', { main: 'lib/plugin.js' }, { 'lib/plugin.js': `module.exports = ${source('with-main')}` }],
  ['with an index', 'with-index', {}, { 'index.js': `module.exports = ${source('with-index')}` }]
]
for (const [title, name, manifest, files] of packages) {
  test(`a package ${title} is loaded from the configuration’s folder`, async () => {
    writePackage(name, manifest, files)
    const [plugin] = await load(name)
    assert.equal(plugin?.name, name)
  })
}

test('a package may hold several plugins, by the paths it exports and no others', async () => {
  const manifest = { type: 'module', exports: { './one': './one.js' } }
  writePackage('@acme/several', manifest, {
    'one.js': `export default ${source('one')}`,
    'two.js': `export default ${source('two')}`
  })
  const [one] = await load('@acme/several/one')
  assert.equal(one?.name, 'one')
  for (const entry of ['@acme/several', '@acme/several/two.js']) {
    assert.deepEqual(await problemsOf(load(entry)), [
      `${entry}: it was not found as a package, or as a folder with plugin.js`
    ])
  }
})

const misbehaving = (name: string) => path.join(fixture('misbehaving'), `${name}.ts`)
const refusals: [title: string, entry: string, cause: string][] = [
  ['a folder that is not there', './nowhere', 'it was not found as a package, or as a folder with plugin.js'],
  ['a package that is not installed', '@acme/nowhere', 'it was not found as a package, or as a folder with plugin.js'],
  ['a module without a default export', misbehaving('no-default'), 'its default export is not a plugin'],
  ['a default export that is no plugin', misbehaving('not-a-plugin'), 'its default export is not a plugin'],
  ['a module that throws', misbehaving('broken-import'), 'it cannot be imported (the licence file is missing)']
]
for (const [title, entry, cause] of refusals) {
  test(`refused: ${title}`, async () => {
    assert.deepEqual(await problemsOf(load('./plugins/gates', entry)), [`${entry}: ${cause}`])
  })
}

test('everything that can be told is told in one go', async () => {
  const entries = [
    './nowhere',
    misbehaving('broken-import'),
    './plugins/gates',
    './plugins/gates',
    misbehaving('wrong-contract')
  ]
  assert.deepEqual(await problemsOf(load(...entries)), [
    './plugins/gates: it is named twice',
    './nowhere: it was not found as a package, or as a folder with plugin.js',
    `${entries[1]}: it cannot be imported (the licence file is missing)`,
    'wrong-contract: it was written for contract 99, this kernel has contract 1'
  ])
})

test('two plugins of one name are named by their entries, and what else both bring is not', async () => {
  const settings = `settings: { k: { schema: { type: 'string' }, default: '', describe: 'A word.' } }`
  const dup = `export default { ...${source('dup')}, ${settings} }`
  for (const file of ['one.mjs', 'other.mjs']) writeFileSync(path.join(folder, file), dup)
  const plugins = await load('./one.mjs', './other.mjs')
  assert.deepEqual(await problemsOf(Promise.resolve().then(() => bootPlugins(plugins))), [
    './other.mjs: the name "dup" is already brought by ./one.mjs'
  ])
})

test('two entries that name one file are one plugin', async () => {
  writeFileSync(path.join(folder, 'twin.mjs'), `export default ${source('twin')}`)
  assert.deepEqual(await problemsOf(load('./twin.mjs', path.join(folder, 'twin.mjs'))), [
    `${path.join(folder, 'twin.mjs')}: it is the plugin that ./twin.mjs names`
  ])
})

test('a link to a file and a link to a folder name the same plugin as what they lead to', async () => {
  mkdirSync(path.join(folder, 'linked'))
  for (const file of ['linked.mjs', 'linked/plugin.mjs'])
    writeFileSync(path.join(folder, file), `export default ${source('linked')}`)
  symlinkSync('linked.mjs', path.join(folder, 'link.mjs'))
  symlinkSync('linked', path.join(folder, 'link'))
  for (const [one, other] of [
    ['./linked.mjs', './link.mjs'],
    ['./link.mjs', './linked.mjs'],
    ['./linked', './link']
  ])
    assert.deepEqual(await problemsOf(load(one, other)), [`${other}: it is the plugin that ${one} names`])
})

const badFiles: [title: string, content: unknown, cause: RegExp][] = [
  ['no JSON', '{', /the file cannot be read as JSON/],
  ['no list', { plugins: './plugins/auth' }, /"plugins" is not a list of strings/],
  ['no plugins', {}, /"plugins" is not a list of strings/],
  ['null', null, /"plugins" is not a list of strings/],
  ['an entry that is no text', { plugins: ['./plugins/auth', {}] }, /"plugins" is not a list of strings/],
  ['an empty entry', { plugins: [''] }, /"plugins" is not a list of strings/]
]
for (const [title, content, cause] of badFiles) {
  test(`a configuration file is refused, by its name: ${title}`, async () => {
    const file = configFile(content)
    const [problem] = await problemsOf(loadPlugins(file))
    assert.ok(problem?.startsWith(file))
    assert.match(problem ?? '', cause)
  })
}

test('a configuration file that is not there is refused by its name', async () => {
  const file = path.join(folder, 'missing.json')
  const [problem] = await problemsOf(loadPlugins(file))
  assert.match(problem ?? '', /missing\.json: the file cannot be read as JSON \(ENOENT/)
})

test('of two plugins that bring the same thing the one that is not galley’s own is named, wherever it stands in the list', async () => {
  writePackage(
    'a-taker',
    { type: 'module', exports: './plugin.js' },
    {
      'plugin.js': `export default {
      name: 'a-taker', contract: 1, describe: 'Takes what is another’s',
      settings: { publish_quiet_hours: { schema: { type: 'string' }, default: '', describe: 'Mine.' } },
      setup: () => ({
        services: {},
        commands: { posts: { describe: 'Mine', load: async () => ({}) } },
        routes: async app => { app.get('/api/posts', { config: { access: { kind: 'public' } }, schema: { operationId: 'mine', summary: 'Mine' } }, async () => ({})) }
      })
    }`
    }
  )
  const own = ['./plugins/auth', './plugins/gates', './plugins/posts', './plugins/schedule', './plugins/memory']
  const causes = async (work: () => unknown) => {
    const problems = await problemsOf(Promise.resolve().then(work))
    return problems.map(problem => problem.replace(/ \(.*/, ''))
  }
  const plugins = await load('a-taker', ...own)
  assert.deepEqual(await causes(() => bootPlugins(plugins)), [
    'a-taker: the setting "publish_quiet_hours" is already brought by schedule'
  ])
  const withoutSettings = plugins.map(plugin =>
    plugin.name === 'a-taker' ? Object.assign(plugin, { settings: {} }) : plugin
  )
  assert.deepEqual(await causes(() => bootPlugins(withoutSettings)), [
    'a-taker: the command group "posts" is already brought by posts'
  ])
  const [taker] = withoutSettings
  const setup = taker?.setup as Plugin['setup']
  const withoutCommands = withoutSettings.map(plugin =>
    plugin === taker ? Object.assign(plugin, { setup: () => ({ ...setup({} as never), commands: {} }) }) : plugin
  )
  assert.deepEqual(await causes(() => bootPlugins(withoutCommands).createApp()), [
    'a-taker: its routes could not be added'
  ])
})
