import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { BootError } from '../../../core/contract/boot-error.ts'
import type { Plugin } from '../../../core/contract/plugin.ts'
import { runSyncWithDeadline, setStartSeconds } from '../../../core/isolation/deadline.ts'
import { loadPlugins } from '../../../core/kernel/load.ts'
import { packageRoot } from '../../../core/paths.ts'
import { bootPlugins, fixture, loadConfigured } from '../../helpers/kernel.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-deadline-'))
const configured = await loadConfigured()
// Long enough for what ends, on a busy machine too: the engine gives what loops no more than this.
before(() => setStartSeconds(5))
after(() => {
  rmSync(folder, { recursive: true })
})

const inFolder = (entry: string) => (path.isAbsolute(entry) ? entry : path.join(packageRoot, 'plugins', entry))
const load = (name: string): Promise<Plugin[]> => {
  const config = path.join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ plugins: [path.join(fixture('misbehaving'), `${name}.ts`)] }))
  return loadPlugins(config)
}

async function problemsOf(work: () => unknown): Promise<string[]> {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof BootError, String(error))
    return error.problems.map(({ plugin, cause }) => `${path.basename(plugin, '.ts')}: ${cause}`)
  }
  return assert.fail('it booted')
}

test('a plugin whose setup does not come back is named', async () => {
  const plugins = [...configured, ...(await load('hangs-in-setup'))]
  assert.deepEqual(await problemsOf(() => bootPlugins(plugins)), [
    'hangs-in-setup: its setup did not come back within 5 s'
  ])
})

const importing = (name: string) =>
  test(`the plugin ${name} is named, and again by whoever reads it a second time`, async () => {
    for (const round of [1, 2])
      assert.deepEqual(
        await problemsOf(() => load(name)),
        [`${name}: importing it did not end within 5 s`],
        String(round)
      )
  })

/** What is said of a plugin while the application is made. */
const creating = (name: string, says: string) =>
  test(`the plugin ${name} is named, and no other`, async () => {
    const kernel = bootPlugins([...configured, ...(await load(name))])
    assert.deepEqual(await problemsOf(() => kernel.createApp()), [`${name}: ${says}`])
  })

const steps: Readonly<Record<string, string>> = {
  'in-routes': 'its routes could not be added (it did not end within 5 s)',
  'when-ready': 'its hook onReady failed (it did not end within 5 s)',
  'in-graphql': 'its part of the GraphQL schema cannot be read (it did not end within 5 s)'
}

describe('what waits for ever', { concurrency: 4 }, () => {
  importing('hangs-on-import')
  for (const [step, says] of Object.entries(steps)) creating(`hangs-${step}`, says)
})

// One after the other: each keeps the process busy until it is stopped.
describe('what loops for ever', () => {
  importing('loops-on-import')
  for (const [step, says] of Object.entries(steps)) creating(`loops-${step}`, says)
})

const lastLines: [plugin: string, what: string, status: number | null][] = [
  ['loops-after-waiting', 'importing it did not end within 8 s. Let its modules only', null],
  ['loops-in-scope', 'adding its routes did not end within 8 s. Repair the plugin', null],
  ['loops-late-in-graphql', 'its GraphQL part did not end within 8 s.', null],
  ['exits-on-import', 'importing it ended the process.', 1],
  ['exits-in-setup', 'its setup ended the process.', 1]
]
describe('what gives nobody else a turn, or ends the process, is named by what it wrote last', {
  concurrency: 3
}, () => {
  for (const [name, what, status] of lastLines) {
    test(name, async () => {
      const config = path.join(folder, `${name}.config.json`)
      const plugin = path.join(fixture('misbehaving'), `${name}.ts`)
      writeFileSync(config, JSON.stringify({ plugins: ['auth', 'graphql', plugin].map(inFolder) }))
      const env = { ...process.env, GALLEY_PLUGIN_START_SECONDS: '8', GALLEY_PLUGINS: config }
      const child = spawn(process.execPath, [path.join(packageRoot, 'cli/bin.js'), 'plugins', 'doctor'], { env })
      const [stderr, [ended, signal]] = await Promise.all([text(child.stderr), once(child, 'close')])
      assert.deepEqual([ended, signal], [status, status === null ? 'SIGKILL' : null], stderr)
      assert.ok(stderr.includes(`${name}${what.startsWith('importing') ? '.ts' : ''}: ${what}`), stderr)
    })
  }
})

test('a scope within the routes that fails is the fault of the plugin', async () => {
  const kernel = bootPlugins([...configured, ...(await load('fails-in-scope'))])
  assert.deepEqual(await problemsOf(() => kernel.createApp()), [
    'fails-in-scope: its routes could not be added (not today)'
  ])
})

test('what ends in time is not disturbed by the watch on it', async () => {
  const plugins = await load('waits-on-import')
  assert.deepEqual(
    plugins.map(({ name }) => name),
    ['waits-on-import']
  )
})

test('a setup’s result and its failure are the caller’s', () => {
  assert.equal(
    runSyncWithDeadline(() => 7),
    7
  )
  assert.throws(() => runSyncWithDeadline(() => assert.fail('no')), /no/)
})
