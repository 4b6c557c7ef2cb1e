// Not on a server: plugins are refused before a statement is run.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { AuthenticatorService } from '../../../core/contract/access.ts'
import { BootError } from '../../../core/contract/boot-error.ts'
import type { Db } from '../../../core/contract/database.ts'
import {
  CONTRACT,
  type Contribution,
  definePlugin,
  event,
  job,
  jobType,
  on,
  type Plugin
} from '../../../core/contract/plugin.ts'
import type { Needs, Provides } from '../../../core/contract/services.ts'
import { createQueueHandlers } from '../../../core/jobs/queue-handlers.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { loadEntries } from '../../../core/kernel/load.ts'
import { packageRoot } from '../../../core/paths.ts'
import { GuestbookService } from '../../fixtures/plugins/guestbook/index.ts'
import guestbook from '../../fixtures/plugins/guestbook/plugin.ts'
import { openTestDatabase } from '../../helpers/database.ts'
import { bootPlugins, fixture, loadConfigured } from '../../helpers/kernel.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const configured = await loadConfigured()
const db = await openTestDatabase()
const service = await startService({ db, plugins: [guestbook as Plugin] })
after(async () => {
  await service.close()
  await db.close()
})

const misbehaving = async (name: string): Promise<Plugin> =>
  ((await import(fixture(`misbehaving/${name}.ts`))) as { default: Plugin }).default

/** What a boot is refused for, as `plugin: cause`. */
async function refusalOf(work: () => unknown): Promise<BootError> {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof BootError, String(error))
    return error
  }
  return assert.fail('it booted')
}

const refusals: [name: string, ...causes: RegExp[]][] = [
  ['wrong-contract', /^it was written for contract 99, this kernel has contract 1$/],
  ['wrong-default', /^the default of its setting wrong_seconds must be a whole number from 1 to 60, not 600$/],
  [
    'wrong-cron',
    /^the cron of its job wrong\.words is wrong: "every morning" is no cron expression: it has 2 fields instead of 5$/,
    /^the cron of its job wrong\.hour is wrong: "0 24 \* \* \*" is no cron expression: see its hour$/
  ],
  ['throws-in-setup', /^its setup failed \(no licence\)$/],
  ['broken-promise', /^it promises the service "missed" and does not give it$/],
  ['asynchronous', /^its setup is asynchronous$/],
  ['checks-by-name', /^its checks are not a list$/],
  ['nameless-check', /^one of its checks is not \{ name, run \}$/],
  ['wrong-metric', /^the name of its metric "bad metric!" is none that Prometheus takes$/],
  ['returns-nothing', /^its setup returns nothing$/],
  ['rail-without-settings', /^its setup failed \(the rail mine has no setting qa_rail_mine and .+railSettings\(rail\)/],
  ['no-function', /^its graphql is no function$/],
  [
    'gate-without-setting',
    /^its setup failed \(the gate mine has no setting pipeline_gate_mine: declare it in the settings of the plugin\)$/
  ],
  [
    'gate-without-functions',
    /^its setup failed \(the gate mine has no wired_into, countPending, listPending, approve, reject\)$/
  ],
  ['takes-setting', /^the setting "public_url" is already brought by core$/],
  ['takes-job', /^its jobs cannot be taken \(The job guestbook\.enter of takes-job is already declared by guestbook/],
  ['needs-what-failed', /^it needs the service "misbehaving\.missed", which no plugin provides$/]
]
for (const [name, ...causes] of refusals) {
  test(`the plugin ${name} is refused with its name, the cause and a remedy; the database stays untouched`, async () => {
    const plugin = await misbehaving(name)
    // Not the object that another test of this process may have loaded from a file: that is a third party's, and comes last.
    const { problems, message } = await refusalOf(() =>
      bootPlugins([...configured, { ...(guestbook as Plugin) }, plugin])
    )
    assert.deepEqual(
      problems.map(problem => problem.plugin),
      causes.map(() => name)
    )
    for (const [place, cause] of causes.entries()) assert.match(problems[place]?.cause ?? '', cause)
    assert.match(problems[0]?.remedy ?? '', /^[A-Z].+\.$/)
    assert.match(message, new RegExp(`^The service does not boot:\n- ${name}: `))
  })
}

const whole = (from: number, to = 2_147_483_647) => `a whole number from ${from} to ${to}`
const options: [option: string, value: unknown, form: string][] = [
  ['retries', -5, whole(0)],
  ['timeoutSeconds', 'a', whole(1, 86_370)],
  ['timeoutSeconds', 100_000, whole(1, 86_370)],
  ['concurrency', 0, whole(1)],
  ['maxDeaths', null, whole(1)],
  ['retryDelaySeconds', 0.5, whole(0)],
  ['onDeadLetter', 'tell', 'a function']
]
const malformedOptions = options.map(([option, value, form]): [object, RegExp] => [
  { setup: () => ({ jobs: [job(jobType('words.count'), async () => {}, { [option]: value })] }) },
  new RegExp(`^${option} of its job words\\.count is not ${form}$`)
])

const undefinedOptions = { retries: undefined, timeoutSeconds: undefined, onDeadLetter: undefined }

test('an option of a job that is undefined has its default', () => {
  const handlers = createQueueHandlers()
  handlers.register('words', [job(jobType('words.count'), async () => {}, undefinedOptions)], [])
  const { retries, timeoutSeconds } = handlers.find('words.count') ?? {}
  assert.deepEqual([retries, timeoutSeconds], [5, 900])
})

/** What a plugin in JavaScript may declare, where nothing checks its types. */
const malformed: [declared: object, cause: RegExp][] = [
  [{ describe: undefined }, /^describe of its manifest is not a text$/],
  [{ errors: { TAKEN: { status: 409 } } }, /^its error code TAKEN needs a status from 400 to 599 and a description$/],
  [{ errors: { TAKEN: null } }, /^its error code TAKEN needs a status from 400 to 599 and a description$/],
  [
    { errors: { s3_down: { status: 503, describe: 'Down.' } } },
    /^its error code s3_down is not in SCREAMING_SNAKE_CASE$/
  ],
  [{ setting: {} }, /^its manifest has the unknown field "setting"$/],
  [{ needs: { words: undefined } }, /^words of its needs is no service$/],
  [{ provides: { words: {} } }, /^words of its provides is no service$/],
  [{ settings: { words_max: null } }, /^its setting words_max is not declared$/],
  [
    { settings: { words_key: { schema: Type.String(), default: '', describe: 'A key.', secret: true } } },
    /^its setting words_key has the unknown field "secret"$/
  ],
  [
    { settings: { words_max: { schema: Type.Integer(), default: 1 } } },
    /^describe of its setting words_max is not a text$/
  ],
  [
    { settings: { 'Words/é': { schema: Type.String(), default: '', describe: 'Words.' } } },
    /^the key of its setting "Words\/é" is none that can be set$/
  ],
  [
    { setup: () => ({ jobs: [job(jobType('words.count'), undefined as never)] }) },
    /^handle of its job words\.count is not a function$/
  ],
  [
    { setup: () => ({ jobs: [job(jobType('words to count'), async () => {})] }) },
    /^type of its job words to count is not an id/
  ],
  ...malformedOptions,
  [
    { setup: () => ({ jobs: [job(jobType('words.count'), async () => {}, { ...undefinedOptions, maxDeaths: 0 })] }) },
    /^maxDeaths of its job words\.count is not a whole number/
  ],
  [
    { setup: () => ({ subscriptions: [on(event('words.said'), undefined as never)] }) },
    /^handle of its subscription to words\.said is not a function$/
  ],
  [
    { setup: () => ({ subscriptions: [{ event: 'words.said', handle: async () => {}, maxBatch: 0 }] }) },
    /^maxBatch of its subscription to words\.said is not a number from 1$/
  ],
  [{ setup: () => ({ commands: null }) }, /^its commands are not objects by name$/],
  [{ setup: () => ({ commands: { words: null } }) }, /^its commands are not objects by name$/],
  [{ setup: () => ({ job: [] }) }, /^its setup has the unknown field "job"$/],
  [{ setup: () => ({ cause: 'words' }) }, /^its setup has the unknown field "cause"$/],
  [{ setup: () => ({ jobs: [undefined] }) }, /^one of its jobs is no object$/],
  [{ setup: () => ({ subscriptions: [null] }) }, /^one of its subscriptions is no object$/],
  [{ setup: () => ({ metrics: [null] }) }, /^one of its metrics is no object$/],
  [
    { setup: () => ({ jobs: [{ type: 'words.count', handle: async () => {}, options: { retry: 3 } }] }) },
    /^its job words\.count has the unknown option "retry"$/
  ],
  [
    { setup: () => ({ jobs: [{ type: 'words.count', handle: async () => {}, options: {}, cron: '0 3 * * *' }] }) },
    /^its job words\.count has the unknown field "cron"$/
  ],
  [
    { setup: () => ({ subscriptions: [{ event: 'posts.published', handle: async () => {}, batch: 250 }] }) },
    /^its subscription to posts\.published has the unknown field "batch"$/
  ],
  [
    { setup: () => ({ commands: { words: { describe: 'Words.', load: async () => ({}), alias: 'w' } } }) },
    /^its command words has the unknown field "alias"$/
  ],
  [{ setup: () => ({ metrics: [{}] }) }, /^the name of its metric undefined is none that Prometheus takes$/]
]
for (const [place, [declared, cause]] of malformed.entries()) {
  test(`a plugin is refused by its name where its form is wrong: ${cause.source} (${place})`, async () => {
    const plugin: object = { name: 'untyped', contract: CONTRACT, describe: 'Words', setup: () => ({}), ...declared }
    const { problems } = await refusalOf(() => bootPlugins([...configured, plugin as Plugin]))
    assert.deepEqual(
      problems.map(problem => problem.plugin),
      ['untyped']
    )
    assert.match(problems[0]?.cause ?? '', cause)
  })
}

test('command groups of another plugin and of the kernel cannot be taken', async () => {
  const plugins = [guestbook as Plugin, await misbehaving('takes-commands')]
  const { problems } = await refusalOf(() => bootPlugins(plugins))
  assert.deepEqual(
    problems.map(({ plugin, cause }) => `${plugin}: ${cause}`),
    [
      'takes-commands: the command group "guestbook" is already brought by guestbook',
      'takes-commands: the command group "serve" is already brought by the kernel'
    ]
  )
})

test('checks of the kernel and of a plugin cannot be taken', async () => {
  const plugin = await misbehaving('takes-checks')
  const { problems } = await refusalOf(() => bootPlugins([plugin]))
  assert.deepEqual(
    problems.map(({ cause, remedy }) => `${cause}: ${remedy}`),
    [
      'the check "disk" is already brought by the kernel: Rename the check.',
      'the check "tide" is already brought by takes-checks: Rename the check.'
    ]
  )
})

const routeRefusals: [name: string, ...causes: RegExp[]][] = [
  ['takes-route', /its routes could not be added \(the route GET \/api\/guestbook is already brought by guestbook\)/],
  ['open-route', /the route GET \/api\/open does not state who may use it/],
  [
    'unknown-access',
    /^the route GET \/api\/word does not state who may use it: "public"$/,
    /^the route POST \/api\/scope does not state who may use it: \{"kind":"bearer","scope":"api:wirte"\}$/
  ],
  ['takes-every-address', /^its route \/\* takes every address that no other has$/],
  ['ends-in-slash', /^its route \/api\/one\/ ends in a slash$/, /^its route \/api\/two\/ ends in a slash$/],
  [
    'wrong-schema',
    /^a schema of its route GET \/api\/wrong cannot be compiled for validation \(strict mode: unknown keyword: "limit"\)$/
  ],
  ['fails-when-ready', /its hook onReady failed \(not today\)/]
]
for (const [name, ...causes] of routeRefusals) {
  test(`the routes of ${name} are refused before anything listens`, async () => {
    const kernel = bootPlugins([...configured, guestbook as Plugin, await misbehaving(name)], { db })
    const { problems } = await refusalOf(() => kernel.createApp())
    assert.deepEqual(
      problems.map(problem => problem.plugin),
      causes.map(() => name)
    )
    for (const [place, cause] of causes.entries()) assert.match(problems[place]?.cause ?? '', cause)
  })
}

/** As a configuration names it: only then is it known to be another's. */
async function bootConfigured(name: string): Promise<Kernel> {
  const own = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8')).plugins
  const entries = [...own, path.join(fixture('misbehaving'), `${name}.ts`)]
  return bootPlugins(await loadEntries(entries, packageRoot), { db })
}

const takers: [name: string, causes: RegExp[]][] = [
  ['takes-field', [/defines Query\.posts, which posts brings already/]],
  ['takes-resolver', [/resolves Post\.title, which it does not define/]],
  ['takes-gate', [/its setup failed \(the gate topic_decision is defined twice\)/]],
  [
    'takes-metric',
    [
      /the metric "posts_overdue" is already brought by schedule/,
      /the metric "db_pool_size" is already brought by metrics/
    ]
  ],
  ['takes-operation', [/the operationId "listPosts" is already brought by posts/]]
]
for (const [name, causes] of takers) {
  test(`of two plugins that bring the same thing, the third party's is named: ${name}, whose name comes first`, async () => {
    const { problems } = await refusalOf(async () => (await bootConfigured(name)).createApp())
    assert.deepEqual(
      problems.map(({ plugin }) => plugin),
      causes.map(() => `a-${name}`)
    )
    for (const [place, cause] of causes.entries()) assert.match(problems[place]?.cause ?? '', cause)
  })
}

const writer = (setup: (db: Db) => Contribution<Provides>): Plugin =>
  definePlugin({
    name: 'writer',
    contract: CONTRACT,
    describe: 'Uses the database where it is only to wire',
    setup: ({ db }) => setup(db)
  }) as Plugin
const write = (from: Db) => from.query('create table written (x int)')
const tablesWritten = () => db.query("select 1 from pg_tables where tablename = 'written'")
const usedTooEarly = /The plugin writer used the database before the service was up/

const uses: Readonly<Record<string, (from: Db) => unknown>> = {
  query: write,
  script: from => from.script('create table written (x int)'),
  transaction: from => from.transaction(tx => tx.query('create table written (x int)')),
  listen: from => from.listen('x', assert.fail, assert.fail)
}
for (const [name, use] of Object.entries(uses)) {
  test(`a plugin that uses db.${name} in setup is refused by its name, and nothing is written`, async () => {
    const plugin = writer(from => {
      void use(from)
      return { services: {} }
    })
    const { problems } = await refusalOf(() => bootPlugins([...configured, plugin], { db }))
    assert.deepEqual([problems.length, problems[0]?.plugin], [1, 'writer'])
    assert.match(problems[0]?.cause ?? '', usedTooEarly)
    assert.deepEqual(await tablesWritten(), [])
  })
}

test('routes that use the database are refused, and so is what setup left running', async () => {
  const inRoutes = writer(from => ({ services: {}, routes: async () => void (await write(from)) }))
  const { problems } = await refusalOf(() => bootPlugins([...configured, inRoutes], { db }).createApp())
  assert.match(problems[0]?.cause ?? '', usedTooEarly)
  const opened = Promise.withResolvers<void>()
  let left: Promise<unknown> | undefined
  const behind = writer(from => {
    left = opened.promise.then(() => write(from))
    return { services: {} }
  })
  const kernel = bootPlugins([...configured, behind], { db })
  await kernel.open({ willStart: true })
  opened.resolve()
  await assert.rejects(async () => left, usedTooEarly)
  assert.deepEqual(await tablesWritten(), [])
})

test('all problems are told together, and only those at fault are named', async () => {
  const names = ['throws-in-setup', 'needs-what-failed', 'asynchronous', 'returns-nothing']
  const plugins = await Promise.all(names.map(misbehaving))
  const { problems } = await refusalOf(() => bootPlugins([...configured, ...plugins]))
  assert.deepEqual(problems.map(problem => problem.plugin).sort(), [
    'asynchronous',
    'returns-nothing',
    'throws-in-setup'
  ])
})

test('what is wrong with a service’s plugins does not depend on the order they are listed in', async () => {
  const plugins = [...configured, guestbook as Plugin, await misbehaving('takes-setting')]
  const [one, other] = await Promise.all(
    [plugins, plugins.toReversed()].map(each => refusalOf(() => bootPlugins(each)))
  )
  const culprits = (error: BootError | undefined) => error?.problems.map(({ plugin }) => plugin)
  assert.deepEqual(culprits(one), culprits(other))
})

test('a third party’s plugin is part of the service: route, setting, event, job, service and command', async () => {
  const entry = { author: 'Ada', text: 'A fine press.' }
  assert.equal((await service.anonymous('POST', '/api/guestbook', entry)).status, 401)
  assert.deepEqual((await service.bearer('POST', '/api/guestbook', entry)).body, { accepted: true })
  await until(() => service.kernel.service(GuestbookService)?.list().length === 1, 'the job enters the entry')
  assert.deepEqual((await service.anonymous('GET', '/api/guestbook')).body.items, [entry])
  assert.equal((await runCommand(service.kernel, 'guestbook', 'list')).out, 'Ada: A fine press.')
  await service.bearer('PUT', '/api/settings/guestbook_max_length', { value: '5' })
  const refused = await service.bearer('POST', '/api/guestbook', entry)
  assert.deepEqual(refused.body.errors, { text: 'must have at most 5 characters' })
})

/** Ids of the services some plugin cannot do without, and of the kernel's own: without an authenticator no service starts. */
function requiredIds(plugins: readonly Plugin[]): Set<string> {
  const needs = plugins.flatMap(plugin => Object.values((plugin.needs ?? {}) as Needs))
  return new Set([AuthenticatorService.id, ...needs.filter(token => !('optional' in token)).map(({ id }) => id)])
}

const providesRequired = (plugin: Plugin, required: Set<string>): boolean =>
  Object.values(plugin.provides ?? {}).some(token => required.has((token as { id: string }).id))

const droppable = configured.filter(plugin => !providesRequired(plugin, requiredIds(configured)))

test('some plugins can be dropped', () => {
  assert.ok(droppable.length > 0)
})

for (const dropped of droppable) {
  test(`without ${dropped.name}, which nobody needs, the service boots and answers`, async () => {
    const kernel = bootPlugins(
      configured.filter(plugin => plugin !== dropped),
      { db }
    )
    await kernel.open()
    const app = await kernel.createApp()
    assert.equal((await app.inject('/api/health')).json().status, 'healthy')
    const closed = dropped.name === 'settings' ? '/api/audit' : '/api/settings'
    assert.equal((await app.inject(closed)).statusCode, 401)
    await app.close()
  })
}

for (const dropped of configured.filter(plugin => !droppable.includes(plugin) && plugin.name !== 'auth')) {
  test(`without ${dropped.name}, which others need, the boot says who misses what`, async () => {
    const ids = Object.values(dropped.provides ?? {}).map(token => (token as { id: string }).id)
    const { problems } = await refusalOf(() => bootPlugins(configured.filter(plugin => plugin !== dropped)))
    assert.ok(problems.length > 0)
    for (const { plugin, cause, remedy } of problems) {
      assert.notEqual(plugin, dropped.name)
      assert.ok(
        ids.some(id => cause === `it needs the service ${JSON.stringify(id)}, which no plugin provides`),
        cause
      )
      assert.match(remedy, /^Add a plugin that provides it/)
    }
  })
}

test('without the plugin that checks tokens the start is refused, and says so once', async () => {
  const kernel = bootPlugins(
    configured.filter(plugin => plugin.name !== 'auth'),
    { db }
  )
  const { problems } = await refusalOf(() => kernel.createApp())
  assert.deepEqual(
    problems.map(({ plugin, cause }) => `${plugin}: ${cause}`),
    ['the kernel: no plugin checks tokens']
  )
})

test('the address is where the service listens, until a public one is set', async () => {
  const addresses: [host: string, url: string][] = [
    ['127.0.0.1', 'http://127.0.0.1:8000'],
    ['::1', 'http://[::1]:8000']
  ]
  for (const [host, url] of addresses) {
    const app = await bootPlugins(configured, { db, config: { host, port: 8000 } }).createApp()
    assert.equal((await app.inject('/.well-known/oauth-authorization-server')).json().issuer, url)
    await app.close()
  }
})
