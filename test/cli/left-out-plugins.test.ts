import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { describeWithoutBroken } from '../../cli/catalogue.ts'
import { localProgram } from '../../cli/local-program.ts'
import { checkPluginEntries } from '../../cli/plugins/check-plugins.ts'
import { version } from '../../core/version.ts'
import { installHome } from '../helpers/installed-home.ts'
import { fixture } from '../helpers/kernel.ts'
import { createInstallation, type Installation } from '../helpers/program.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-left-out-'))
const config = path.join(folder, 'plugins.config.json')
const misbehaving = (name: string): string => path.join(fixture('misbehaving'), `${name}.ts`)
const complete = ['./plugins/auth', './plugins/gates', './plugins/posts', fixture('guestbook')]
const configure = (...plugins: string[]) => writeFileSync(config, JSON.stringify({ plugins }))

let installation: Installation
before(() => {
  installation = createInstallation({ GALLEY_PLUGINS: config })
})
after(async () => {
  await installation.close()
  rmSync(folder, { recursive: true })
})

const lines: [argv: string[], stdout: RegExp, stderr: RegExp | null][] = [
  [['--help'], /^ +guestbook +\S/m, /broken-import\.ts: it cannot be imported \(.+\)\. .*\n.*plugins disable <name>/],
  [['posts', 'list', '--help'], /^ +--status/m, /left out/],
  [['completion', 'bash'], /guestbook/, /left out/],
  [['--version'], new RegExp(`^${version}\n$`), null],
  [['plugins', 'doctor', '--help'], /Look for what is wrong/, null]
]
for (const [argv, stdout, stderr] of lines) {
  test(`galley ${argv.join(' ')} works beside a broken plugin`, async () => {
    configure(...complete, misbehaving('broken-import'))
    const answer = await installation.runHere(argv)
    assert.match(answer.stdout, stdout)
    if (stderr === null) assert.equal(answer.stderr, '')
    else assert.match(answer.stderr, stderr)
    assert.equal(answer.status, 0)
  })
}

test('a command that never loads is named, and all others go on', async () => {
  await installHome(installation)
  configure(...complete, misbehaving('hangs-in-commands'))
  const others = await installation.runHere(['posts', 'list', '--json'])
  assert.deepEqual([others.status, others.stderr], [0, ''])
  const words = /^error: The command shelf of the plugin hangs-in-commands did not load within 10 s: let it .*\n$/
  const own = await installation.runHere(['shelf', 'clear'])
  assert.match(own.stderr, words)
  assert.equal(own.status, 1)
  const { status, stdout } = await installation.runHere(['plugins', 'doctor'])
  assert.match(stdout, /hangs-in-commands: its commands cannot be read \(The command shelf /)
  assert.equal(status, 1)
  const completion = await installation.runHere(['completion', 'bash'])
  assert.match(completion.stdout, /guestbook/)
  assert.match(completion.stderr, /hangs-in-commands/)
})

test('galley plugins list shows the others, and what is wrong', async () => {
  configure(...complete, misbehaving('broken-import'))
  const { status, stdout } = await installation.runHere(['plugins', 'list', '--json'])
  const { items, problems } = JSON.parse(stdout)
  assert.ok(items.some(({ name }: { name: string }) => name === 'guestbook'))
  assert.deepEqual([problems.length, problems[0].cause], [1, 'it cannot be imported (the licence file is missing)'])
  assert.equal(status, 0)
})

const described = () => ({ env: { GALLEY_PLUGINS: config }, cwd: folder, local: localProgram({}) })

const broken: Readonly<Record<string, [entries: string[], names: string[]]>> = {
  'whose setup fails': [[misbehaving('throws-in-setup')], ['throws-in-setup']],
  'that nothing is left of without': [['./plugins/auth', misbehaving('wrong-contract')], ['wrong-contract']],
  'that others need': [
    [misbehaving('broken-promise'), misbehaving('needs-what-failed')],
    ['broken-promise', 'needs-what-failed']
  ],
  'that is named as one of ours': [[path.join(folder, 'gates.mjs')], [path.join(folder, 'gates.mjs')]],
  'whose commands cannot be loaded': [[misbehaving('no-commands')], ['no-commands']]
}
for (const [which, [entries, names]] of Object.entries(broken)) {
  test(`everything else is described beside a plugin ${which}`, async () => {
    writePlugin('gates')
    configure(...new Set([...complete, ...entries]))
    const { catalogue, problems } = await describeWithoutBroken(described())
    for (const group of ['posts', 'gates', 'settings', 'guestbook']) assert.ok(group in catalogue, group)
    assert.deepEqual(
      problems.map(({ plugin }) => plugin),
      names
    )
  })
}

function writePlugin(name: string): void {
  const source = `export default { name: '${name}', contract: 1, describe: 'x', setup: () => ({ services: {} }) }`
  writeFileSync(path.join(folder, `${name}.mjs`), source)
}

test('without a configuration that can be read the service’s own commands are described', async () => {
  writeFileSync(config, '{"plugins": [1]}')
  const { catalogue, problems } = await describeWithoutBroken(described(), [])
  assert.ok('plugins' in catalogue && 'settings' in catalogue && !('posts' in catalogue))
  assert.equal(problems[0]?.cause, '"plugins" is not a list of strings')
})

test('a plugin whose routes are wrong is left out of the list', async () => {
  const { plugins, problems } = await checkPluginEntries([...complete, misbehaving('takes-route')], config)
  assert.ok(plugins.some(({ name }) => name === 'guestbook'))
  assert.deepEqual(
    problems.map(({ plugin }) => plugin),
    ['takes-route']
  )
})

test('a command of a plugin that is not in use says which plugin, and how to use it', async () => {
  const said = async (config: object) => {
    writeFileSync(path.join(folder, 'plugins.config.json'), JSON.stringify(config))
    const { status, stderr } = await installation.runHere(['schedule', 'list', '--json'])
    assert.equal(status, 2)
    return JSON.parse(stderr).errors.command
  }
  const left = 'the command schedule is of the plugin schedule, which is not in use: '
  assert.equal(await said({ plugins: complete }), `${left}add "./plugins/schedule" to "plugins" in ${config}`)
  const disabled = { plugins: complete, disabled: ['./plugins/schedule'] }
  assert.equal(await said(disabled), `${left}run "galley plugins enable schedule"`)
  const { stderr } = await installation.runHere(['sched', 'list'])
  assert.match(stderr, /^error: unknown command "sched"/)
})

test('the demo names a plugin that it needs and that is not in use', async () => {
  configure(...complete)
  await installHome(installation)
  const { status, stderr } = await installation.run(['demo', 'How tides work', '--once'])
  assert.equal(status, 1)
  assert.match(stderr, /^error: "galley tasks list" failed: .* plugin tasks, which is not in use: add "/)
})
