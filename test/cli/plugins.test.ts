import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { runProgram } from '../../cli/framework/run.ts'
import { localProgram } from '../../cli/local-program.ts'
import { packageRoot } from '../../core/paths.ts'
import { version } from '../../core/version.ts'
import { fixture } from '../helpers/kernel.ts'
import { recordSession } from '../helpers/session.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-plugins-'))
after(() => rmSync(folder, { recursive: true }))
const config = path.join(folder, 'plugins.config.json')
const some = ['./plugins/auth', './plugins/gates', './plugins/memory', './plugins/posts', './plugins/costs']

const configure = (...plugins: string[]) => writeFileSync(config, JSON.stringify({ plugins, comment: 'ours' }))
const written = () => JSON.parse(readFileSync(config, 'utf8'))

/** No home is set up, and no server runs. */
async function plugins(...argv: string[]) {
  const session = recordSession({ cwd: folder, columns: 400 })
  const program = localProgram({ GALLEY_HOME: path.join(folder, 'home') })
  const status = await runProgram({ name: 'galley', version, program }, ['plugins', ...argv], session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}
const json = async (...argv: string[]) => JSON.parse((await plugins(...argv, '--json')).out)

test('the list shows what each plugin needs and brings, before there is an installation', async () => {
  configure(...some, fixture('guestbook'))
  const { items, disabled, config: file } = await json('list')
  assert.deepEqual([disabled, file], [[], config])
  assert.deepEqual(items.find(({ name }: { name: string }) => name === 'guestbook').routes, [
    'GET /api/guestbook',
    'POST /api/guestbook'
  ])
  const { describe: _, routes, settings, ...posts } = await json('get', 'posts')
  assert.deepEqual(posts, {
    name: 'posts',
    entry: './plugins/posts',
    version,
    contract: 1,
    needs: ['gates', 'memory?', 'notify?', 'core.settings'],
    provides: ['posts', 'posts.published', 'posts.slots', 'posts.due'],
    commands: ['posts', 'categories'],
    checks: ['overdue slots']
  })
  assert.ok(routes.includes('GET /api/posts/:slug') && settings.includes('niche_gated_publishing'), String(settings))
  assert.match((await plugins('list')).out, /^PLUGIN +VERSION +CONTRACT +NEEDS/)
})

test('the doctor finds nothing wrong with what fits together', async () => {
  configure(...some)
  const { status, out } = await plugins('doctor')
  assert.match(out, /^OK {2}\d+ plugins fit together/)
  assert.equal(status, 0)
})

const faults: [fixture: string, cause: RegExp][] = [
  ['broken-import', /it cannot be imported/],
  ['wrong-contract', /it was written for contract 99/],
  ['wrong-name', /Wrong_Name: its name "Wrong_Name" is not in kebab case/],
  [
    'wrong-default',
    /wrong-default: the default of its setting wrong_seconds must be a whole number from 1 to 60, not 600/
  ],
  ['throws-in-setup', /its setup failed \(no licence\)/],
  ['broken-promise', /it promises the service "missed"/],
  ['needs-itself', /needs-itself: it depends on itself: it needs a service that it provides/],
  ['takes-setting', /the setting "public_url" is already brought by core/],
  ['checks-by-name', /checks-by-name: its checks are not a list/],
  ['takes-commands', /the command group "guestbook" is already brought by guestbook/],
  ['takes-route', /its routes could not be added/],
  ['takes-every-address', /takes-every-address: its route \/\* takes every address that no other has/],
  ['ends-in-slash', /ends-in-slash: its route \/api\/one\/ ends in a slash/],
  ['takes-resolver', /resolves Post\.title, which it does not define/],
  ['open-route', /does not state who may use it/],
  ['no-migrations', /its migrations cannot be used/],
  ['commits-early', /commits-early\/20260101_000000_early\.sql, line 3: "commit" must not be in a migration/],
  [
    'misspells-command',
    /its command shelf clear has the unknown field "confirms"[\s\S]*count of its command shelf clear .* field "minimun"/
  ],
  [
    'takes-flag',
    /^BROKEN {2}takes-flag: its command shelf has the argument json, a flag of every command\n.+\n.+ the argument json-output, [^\n]+\n[^\n]+$/m
  ],
  ['no-commands', /its commands cannot be read \(not today\)/]
]
for (const [name, cause] of faults) {
  test(`the doctor names ${name}, what is wrong with it, and the remedy`, async () => {
    configure(...some, './plugins/graphql', fixture('guestbook'), path.join(fixture('misbehaving'), `${name}.ts`))
    const { status, out } = await plugins('doctor')
    assert.match(out, cause)
    assert.match(out, /^BROKEN {2}\S+: .+\n {8}→ [A-Z].+\.$/m)
    assert.equal(status, 1)
  })
}

test('the doctor names the only plugin there is, and what the kernel lacks without it', async () => {
  configure(path.join(fixture('misbehaving'), 'throws-in-setup.ts'))
  const { problems } = await json('doctor')
  assert.match(problems[0].cause, /its setup failed/)
  assert.ok(problems.length > 1)
})

test('the doctor tells of a configuration that cannot be read', async () => {
  writeFileSync(config, '{"plugins": [1]}')
  const { problems } = await json('doctor')
  assert.equal(problems[0].cause, '"plugins" is not a list of strings')
})

test('a plugin is disabled and enabled again; what else stands in the file stays', async () => {
  configure(...some)
  assert.equal((await plugins('disable', 'costs')).status, 0)
  assert.deepEqual(written(), { plugins: some.slice(0, 4), comment: 'ours', disabled: ['./plugins/costs'] })
  assert.deepEqual((await json('list')).disabled, ['./plugins/costs'])
  assert.match((await plugins('list')).out, /^Disabled: \.\/plugins\/costs$/m)
  assert.match((await plugins('disable', 'costs')).err, /costs is disabled already\. Nothing was changed/)
  assert.equal((await plugins('enable', 'costs')).status, 0)
  assert.deepEqual(written(), { plugins: some, comment: 'ours' })
  assert.match((await plugins('enable', 'costs')).err, /costs is enabled already\. Nothing was changed/)
})

test('in a folder without a configuration that of the package stays as it is', async () => {
  const packaged = path.join(packageRoot, 'plugins.config.json')
  const before = readFileSync(packaged, 'utf8')
  rmSync(config)
  try {
    for (const line of [
      ['disable', 'costs'],
      ['enable', 'costs']
    ] as const) {
      const { status, err } = await plugins(...line)
      assert.equal(status, 1)
      assert.match(err, /belongs to the package: copy it into the folder that galley is started in/)
    }
    assert.equal(readFileSync(packaged, 'utf8'), before)
  } finally {
    writeFileSync(packaged, before)
  }
})

test('a disabled plugin is told from one that there is not, also beside a broken one', async () => {
  const disabled = ['./plugins/costs', '@acme/galley-tides']
  const names = { costs: 0, './plugins/costs': 0, 'galley-tides': 1, tides: 1 }
  for (const others of [[], [path.join(fixture('misbehaving'), 'throws-in-setup.ts')]]) {
    writeFileSync(config, JSON.stringify({ plugins: [...some.slice(0, 4), ...others], disabled }))
    for (const [name, place] of Object.entries(names)) {
      const { status, err } = await plugins('get', name)
      assert.ok(
        err.endsWith(`${name} is disabled in ${config}: "galley plugins enable ${disabled[place]}" takes it in again.`),
        err
      )
      assert.equal(status, 1)
    }
  }
  writeFileSync(config, JSON.stringify({ plugins: some.slice(0, 4), disabled }))
  const { status, err } = await plugins('get', 'harbours')
  assert.match(
    err,
    /There is no plugin harbours in .+ shows those there are\. Disabled there: \.\/plugins\/costs, @acme/
  )
  assert.equal(status, 1)
})

test('what others cannot do without stays enabled, and they are named', async () => {
  configure(...some)
  const { status, err } = await plugins('disable', 'gates')
  assert.match(err, /posts: it needs the service "gates", which no plugin provides.*Nothing was changed/)
  assert.equal(status, 1)
  assert.deepEqual(written().plugins, some)
})

test('a plugin that cannot be imported is disabled by the last part of its entry', async () => {
  const broken = path.join(fixture('misbehaving'), 'broken-import.ts')
  configure(...some, broken)
  assert.equal((await plugins('disable', 'broken-import.ts')).status, 0)
  assert.deepEqual(written().plugins, some)
  const { status, err } = await plugins('enable', 'broken-import.ts')
  assert.match(err, /it cannot be imported/)
  assert.equal(status, 1)
  assert.equal((await plugins('disable', 'nothing')).status, 1)
})

test('a new plugin is written once, and is in the list when it is configured', async () => {
  configure(...some)
  assert.deepEqual((await json('create', 'opening-hours')).files, [
    'package.json',
    'plugin.js',
    'commands.js',
    'test/plugin.test.js',
    'README.md'
  ])
  configure(...some, './opening-hours')
  const { settings, commands, version } = await json('get', 'opening-hours')
  assert.deepEqual([settings, commands, version], [['opening_hours_greeting'], ['opening-hours'], '0.1.0'])
  assert.match((await plugins('create', 'opening-hours')).err, /already the name of a plugin/)
})

test('a plugin in a folder without a package.json has no version', async () => {
  mkdirSync(path.join(folder, 'bare'))
  const source =
    "export default { name: 'bare', contract: 1, describe: 'A module alone', setup: () => ({ services: {} }) }"
  writeFileSync(path.join(folder, 'bare/plugin.mjs'), source)
  configure(...some, './bare')
  assert.equal((await json('get', 'bare')).version, '–')
  assert.equal((await plugins('doctor')).status, 0)
})

const packaged: [files: string[], missing: string | null][] = [
  [['*.js'], null],
  [['.'], null],
  [['plugin.js', 'commands.js'], null],
  [['plugin.js'], 'commands.js'],
  [['*.js', '!commands.js'], 'commands.js'],
  [['lib'], 'commands.js, plugin.js']
]
for (const [files, missing] of packaged) {
  test(`of a package with ${files}, ${missing ?? 'nothing'} is missing`, async () => {
    const name = 'packaged'
    configure(...some)
    await plugins('create', name)
    configure(...some, `./${name}`)
    const manifest = path.join(folder, name, 'package.json')
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), files }))
    const { problems } = await json('doctor')
    rmSync(path.join(folder, name), { recursive: true })
    assert.deepEqual(
      problems.map(({ cause }: { cause: string }) => cause),
      missing === null ? [] : [`its package would lack what it imports (${missing})`]
    )
  })
}

const refused: [name: string, folder: string, reason: RegExp][] = [
  ['Opening', 'new', /must be in kebab case/],
  ['categories', 'new', /already the name of a command of posts/],
  ['another', '.', /is already there/]
]
for (const [name, target, reason] of refused) {
  test(`a plugin named ${name} is not written to ${target}`, async () => {
    configure(...some)
    const { err, status } = await plugins('create', name, '--folder', target)
    assert.match(err, reason)
    assert.notEqual(status, 0)
    assert.ok(!existsSync(path.join(folder, 'new')))
  })
}
