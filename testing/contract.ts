import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { refuseMisspeltCommands } from '../cli/framework/command-fields.ts'
import { createLog } from '../cli/log/json-log.ts'
import { createMigrator } from '../cli/migrations/migrator.ts'
import { reservedNames } from '../cli/reserved-names.ts'
import type { Db } from '../core/contract/database.ts'
import type { Plugin } from '../core/contract/plugin.ts'
import { readMigrations } from '../core/db/migrations/files.ts'
import { migrationSources } from '../core/db/migrations/schema.ts'
import { boot } from '../core/kernel/boot.ts'
import type { Kernel } from '../core/kernel/kernel.ts'
import { loadPlugins } from '../core/kernel/load.ts'
import { isObject } from '../core/unknown.ts'
import { checkRoutes, laws } from './laws.ts'
import { openMemory, startServiceOn, testConfig, type WiredTestService } from './service.ts'
import { until } from './until.ts'

/** A database that nothing may touch: what is wired must not reach out. */
export const unusableDb = new Proxy({} as Db, {
  get(_target, name) {
    throw new Error(
      `The database was touched (${String(name)}) where a plugin only wires: do it in a route, job or command.`
    )
  }
})

/**
 * Adds a test for each rule of the contract, with galley's own plugins beside the given one: `await testPlugin(plugin)` in a
 * file that `node --test` runs. `others` are plugins that it needs beside galley's own.
 * @throws BootError when the plugin does not boot.
 */
export async function testPlugin(plugin: Plugin, others: readonly Plugin[] = []): Promise<void> {
  const plugins = [...(await loadPlugins(testConfig.pluginsConfigPath)), ...others, plugin]
  const kernel = boot({
    config: testConfig,
    db: unusableDb,
    log: createLog('silent'),
    plugins,
    reserved: reservedNames
  })
  const loaded = kernel.plugins.find(part => part.plugin === plugin)
  assert.ok(loaded)
  await refuseMisspeltCommands([loaded])
  for (const [title, check] of laws) test(`the plugin ${plugin.name} ${title}`, () => check(loaded))
  test(`the plugin ${plugin.name} adds its routes without the database, each named and described`, () =>
    describeRoutes(kernel))
  // One for both: starting it is most of the time these tests take.
  let starting: Promise<WiredTestService> | undefined
  const started = async () =>
    (starting ??= startServiceOn(await openMemory(), { plugins: [...others, plugin], pending: true }))
  after(() =>
    starting?.then(
      service => service.close(),
      () => undefined
    )
  )
  test(`the plugin ${plugin.name} is part of a healthy service`, async () => checkHealth(await started()))
  test(`no list fails on a made-up cursor beside the plugin ${plugin.name}`, async () => tryCursors(await started()))
  if (plugin.migrations !== undefined)
    test(`the plugin ${plugin.name} can be rolled back, and applied again`, async () =>
      migrateBackAndForth(plugin, await started()))
}

async function describeRoutes(kernel: Kernel): Promise<void> {
  const app = await kernel.createApp()
  try {
    checkRoutes(app.apiDescription.routes)
  } finally {
    await app.close()
  }
}

/** At its start a slow machine may be too busy for an answer in time. */
async function checkHealth(service: WiredTestService): Promise<void> {
  await until(async () => {
    const { status, body } = await service.anonymous('GET', '/api/health')
    return status === 200 && body.status === 'healthy'
  }, 'the service is healthy')
}

/** Cursors of one to three values that no list has given out. */
const madeUp = [['x'], ['x', 'y'], ['x', 'y', 'z']].map(values =>
  Buffer.from(JSON.stringify(values)).toString('base64url')
)

/** A list takes a cursor, and its address has no parameter. */
function isList({ method, url, schema }: RouteOptions): boolean {
  const query = schema?.querystring
  if (!isObject(query) || !isObject(query.properties)) return false
  const required = Array.isArray(query.required) ? query.required : []
  return method === 'GET' && 'cursor' in query.properties && required.length === 0 && !/[:*]/.test(url)
}

async function tryCursors(service: WiredTestService): Promise<void> {
  for (const { url } of service.app.apiDescription.routes.filter(isList)) {
    for (const cursor of madeUp) {
      const { status } = await service.bearer('GET', `${url}?cursor=${cursor}`)
      assert.ok(
        status < 500,
        `GET ${url}?cursor=${cursor} is answered with ${status}: let pageRequest check the cursor`
      )
    }
  }
}

async function migrateBackAndForth(plugin: Plugin, { db }: WiredTestService): Promise<void> {
  for (const { name, down } of await readMigrations(migrationSources([plugin])))
    assert.ok(down, `${name} has a section "--! down"`)
  const migrator = createMigrator({ db, sources: migrationSources([plugin]) })
  const { rolled_back, failed } = await migrator.down({ all: true, plugin: plugin.name })
  assert.deepEqual(failed, [])
  assert.deepEqual((await migrator.up({ plugin: plugin.name })).applied, rolled_back.toReversed())
}
