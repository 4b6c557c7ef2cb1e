import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { checkNames } from '../../../cli/checks/check-names.ts'
import { type DiagnosisTarget, diagnose } from '../../../cli/checks/diagnose.ts'
import { type Report, runChecks } from '../../../cli/checks/report.ts'
import { doctorCommand } from '../../../cli/doctor/doctor.ts'
import { runProgram } from '../../../cli/framework/run.ts'
import { ok } from '../../../core/contract/check.ts'
import { openInstallation, pickup, type TestInstallation, taskIds, testKey } from '../../helpers/backup.ts'
import { testServerUrl } from '../../helpers/database.ts'
import { installHome } from '../../helpers/installed-home.ts'
import { fixture } from '../../helpers/kernel.ts'
import { createInstallation } from '../../helpers/program.ts'
import { recordSession } from '../../helpers/session.ts'

/** For tests whose homes have the embedded database, or none, wherever the suite runs. */
const once = { skip: testServerUrl !== undefined && 'proved on the embedded database' }

const folder = mkdtempSync(path.join(tmpdir(), 'galley-doctor-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs `galley doctor` as a process would, in an environment. */
async function doctor(env: NodeJS.ProcessEnv, ...argv: string[]) {
  const session = recordSession({ cwd: folder, columns: 10_000 })
  const program = { doctor: { describe: '', loadCommand: async () => doctorCommand(env) } }
  const status = await runProgram({ name: 'galley', version: '0.0.0', program }, ['doctor', ...argv], session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}

const keys = { POINDEXTER_SECRET_KEY: testKey, GALLEY_JWT_SECRET: 'a secret of the test suite that is long enough' }

function newHome(bootstrap: Record<string, string> = keys): string {
  const home = mkdtempSync(path.join(folder, 'home-'))
  const lines = Object.entries(bootstrap).map(([key, value]) => `${key}='${value}'\n`)
  writeFileSync(path.join(home, 'bootstrap.env'), lines.join(''), { mode: 0o600 })
  return home
}

function configure(name: string, plugins: readonly string[]): string {
  const config = path.join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ plugins }))
  return config
}

const withoutDatabase: Record<string, { env(): NodeJS.ProcessEnv; check: string; found: RegExp; remedy: RegExp }> = {
  'there is no home': {
    env: () => ({ GALLEY_HOME: path.join(folder, 'nowhere') }),
    check: 'home',
    found: /does not exist/,
    remedy: /galley setup/
  },
  'bootstrap.env may be read by others': {
    env: () => {
      const home = newHome()
      chmodSync(path.join(home, 'bootstrap.env'), 0o644)
      return { GALLEY_HOME: home }
    },
    check: 'configuration',
    found: /may be read by others \(mode 0644\)/,
    remedy: /chmod 600/
  },
  'bootstrap.env is half written': {
    env: () => ({ GALLEY_HOME: newHome({ POINDEXTER_SECRET_KEY: 'abc' }) }),
    check: 'configuration',
    found: /POINDEXTER_SECRET_KEY must be 32 bytes.*|GALLEY_JWT_SECRET is missing/,
    remedy: /Correct .*bootstrap\.env/
  },
  'the database server is down': {
    env: () => ({ GALLEY_HOME: newHome({ ...keys, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/galley' }) }),
    check: 'database',
    found: /database galley on 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    remedy: /DATABASE_URL/
  },
  'the embedded database is gone': {
    env: () => ({ GALLEY_HOME: newHome() }),
    check: 'database',
    found: /data does not exist/,
    remedy: /restore a backup/
  },
  'a plugin is broken': {
    env: () => {
      const config = path.join(folder, 'plugins.config.json.broken')
      writeFileSync(config, JSON.stringify({ plugins: [fixture('misbehaving/broken-import.ts')] }))
      return { GALLEY_HOME: newHome(), GALLEY_PLUGINS: config }
    },
    check: 'plugins',
    found: /cannot be imported/,
    remedy: /plugins\.config\.json/
  },
  'no plugin checks tokens': {
    env: () => ({ GALLEY_HOME: newHome(), GALLEY_PLUGINS: configure('none', []) }),
    check: 'plugins',
    found: /refused\. .*the kernel: no plugin checks tokens/,
    remedy:
      /^Add a plugin that provides the service core\.authenticator to plugins\.config\.json\. Then .+none\.json with galley plugins doctor\.$/
  },
  'a route takes every address': {
    env: () => ({
      GALLEY_HOME: newHome(),
      GALLEY_PLUGINS: configure('every-address', ['./plugins/auth', fixture('misbehaving/takes-every-address.ts')])
    }),
    check: 'plugins',
    found: /takes-every-address: its route \/\* takes every address/,
    remedy: /^Give it a path of its own/
  }
}

for (const [title, { env, check, found, remedy }] of Object.entries(withoutDatabase)) {
  test(`doctor says that ${title}, what to do, and exits with 2`, once, async () => {
    const { status, out, err } = await doctor(env(), '--json')
    assert.equal(status, 2, err)
    const report = JSON.parse(out)
    const cause = report.causes.find((each: { name: string }) => each.name === check)
    assert.equal(cause?.status, 'critical')
    assert.match(cause.found, found)
    assert.match(cause.remedy, remedy)
    assert.ok(report.score < 100)
    assert.doesNotMatch(out, new RegExp(testKey.slice(0, 20)))
  })
}

const targetOf = ({ home, config, db, kernel }: TestInstallation): DiagnosisTarget => ({
  ...{ home, config, kernel, database: { db, name: 'the database' }, now: () => new Date() }
})

const later = (seconds: number) => () => new Date(Date.now() + seconds * 1000)

const addTask = (there: TestInstallation, status: string) =>
  there.db.query(
    `insert into tasks (task_id, topic, target_length, style, tone, status, stage) values ($1, 't', 500, 's', 't', $2, 'draft')`,
    [taskIds[0] ?? '', status]
  )

const addJob = (there: TestInstallation) =>
  there.db.transaction(tx => there.kernel.jobs.enqueue(tx, pickup, { task_id: taskIds[0] ?? '' }))

interface Fault {
  check: string
  status: 'degraded' | 'critical'
  found: RegExp
  remedy: RegExp
  provoke(there: TestInstallation): Promise<unknown>
}

const withDatabase: Record<string, Fault> = {
  'the home may be entered by others': {
    ...{ check: 'home', status: 'degraded', found: /mode 0755/, remedy: /chmod 700/ },
    provoke: async there => chmodSync(there.home, 0o755)
  },
  'a restore was interrupted': {
    ...{ check: 'restores', status: 'degraded', found: /was interrupted/, remedy: /backup create/ },
    provoke: async there =>
      void mkdirSync(path.join(there.home, '.restore-999999999-11111111-1111-4111-8111-111111111111'))
  },
  'a move was interrupted': {
    ...{ check: 'restores', status: 'degraded', found: /A move .* was interrupted/, remedy: /Move again/ },
    provoke: async there => writeFileSync(path.join(there.home, 'move.unfinished'), 'id')
  },
  'another key decrypts the secrets': {
    ...{ check: 'secrets', status: 'critical', found: /does not decrypt llm_api_key/, remedy: /bootstrap\.env/ },
    async provoke(there) {
      await there.kernel.settings.set('llm_api_key', 'secret')
      return { config: { ...there.config, secretKey: Buffer.alloc(32, 1).toString('base64') } }
    }
  },
  'a migration is pending': {
    ...{
      check: 'migrations',
      status: 'critical',
      found: /Pending: 1 of \d+ migrations?, first /,
      remedy: /migrate up/
    },
    provoke: async there =>
      void (await there.db.query(`delete from schema_migrations where filename like '%baseline%'`))
  },
  'the database is newer': {
    ...{ check: 'migrations', status: 'critical', found: /20990101_000000_later/, remedy: /newer/ },
    provoke: async there =>
      void (await there.db.query(
        `insert into schema_migrations (filename, namespace, checksum) values ('20990101_000000_later.sql', 'galley', 'x')`
      ))
  },
  'the clocks differ': {
    ...{ check: 'clock', status: 'degraded', found: /1\d\.\d s ahead of/, remedy: /timedatectl/ },
    // The database reads its clock a little after the check does.
    provoke: async () => ({ now: later(15) })
  },
  'the clocks differ widely': {
    ...{ check: 'clock', status: 'critical', found: /s behind/, remedy: /timedatectl/ },
    provoke: async () => ({ now: later(-1000) })
  },
  'jobs wait': {
    ...{ check: 'queues', status: 'degraded', found: /1 of tasks\.pickup, for 5 min/, remedy: /galley serve/ },
    async provoke(there) {
      await addTask(there, 'pending')
      await addJob(there)
      await there.db.query(`update jobs.job set start_after = now() - interval '5 minutes'`)
    }
  },
  'a job is parked': {
    ...{
      check: 'parked jobs',
      status: 'degraded',
      found: /^1 job used up.*tasks\.pickup at .*: it broke/,
      remedy: /galley jobs retry --all/
    },
    async provoke(there) {
      await addJob(there)
      await there.db.query(
        `update jobs.job set state = 'failed', completed_on = now(), output = '{"message": "it broke"}'`
      )
    }
  },
  'a task is stuck': {
    ...{
      check: 'stuck tasks',
      status: 'degraded',
      found: /1 task .* without a job: b0000000.*\(draft\)/,
      remedy: /create/
    },
    provoke: async there => void (await addTask(there, 'in_progress'))
  },
  'a task is not what its post is': {
    ...{
      check: 'tasks and posts',
      status: 'degraded',
      found: /^task b0000000\S* is awaiting_approval and its post \S+ published\.$/,
      remedy: /galley posts publish, unpublish or archive/
    },
    async provoke(there) {
      await addTask(there, 'awaiting_approval')
      await there.db.query(
        `insert into posts (slug, title, content, content_html, status, published_at, task_id)
         select 'apart', 't', 'c', 'c', 'published', now(), task_id from tasks where status = 'awaiting_approval'`
      )
    }
  },
  'a slot is overdue': {
    ...{ check: 'overdue slots', status: 'degraded', found: /1 scheduled post, first late-one/, remedy: /publisher/ },
    provoke: async there =>
      void (await there.db.query(
        `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
         values ('late-one', 't', 'c', 'c', 'scheduled', now() - interval '1 hour', now())`
      ))
  },
  'a critic is required and there is none': {
    ...{ check: 'critic', status: 'degraded', found: /every draft is rejected/, remedy: /llm_critic_model/ },
    provoke: async there => void (await there.kernel.settings.set('qa_rail_critic', 'required'))
  },
  'the model endpoint is down': {
    ...{
      check: 'model endpoint',
      status: 'degraded',
      found: /127\.0\.0\.1:1\/.*does not answer/,
      remedy: /llm_base_url/
    },
    provoke: async there => void (await there.kernel.settings.set('llm_base_url', 'http://127.0.0.1:1'))
  },
  'the key of the model endpoint is none': {
    ...{ check: 'model endpoint', status: 'degraded', found: /llm_api_key has blanks/, remedy: /llm_api_key/ },
    provoke: async there => {
      await there.kernel.settings.set('llm_base_url', 'http://127.0.0.1:1')
      await there.kernel.settings.set('llm_api_key', 'sk-top-secret ✓')
    }
  },
  'the embedder is not there': {
    ...{ check: 'embedder', status: 'degraded', found: /embedder is nobody/, remedy: /embedder_base_url/ },
    provoke: async there => {
      await there.db.query(`insert into app_settings (key, value) values ('embedder', 'nobody')`)
      await there.kernel.settings.load()
    }
  },
  'a proxy is not declared': {
    ...{ check: 'proxies', status: 'degraded', found: /does not name: 10\.1\.2\.3\./, remedy: /trusted_proxies/ },
    provoke: async there => {
      for (const address of ['10.1.2.3', '10.1.2.3'])
        await there.db.query(
          `insert into audit_log (event_type, actor, details) values ('http.undeclared_proxy', 'service', $1)`,
          [JSON.stringify({ address })]
        )
    }
  },
  'a stored setting is not valid': {
    ...{
      check: 'settings',
      status: 'degraded',
      found: /llm_max_retries is not valid: it must be a whole number/,
      remedy: /settings set/
    },
    provoke: async there =>
      void (await there.db.query(`insert into app_settings (key, value) values ('llm_max_retries', 'many')`))
  }
}

test('a sound installation is healthy, with a score of 100', async () => {
  const there = await openInstallation()
  try {
    await there.kernel.open()
    await there.kernel.jobs.install()
    await addTask(there, 'in_progress')
    await addJob(there)
    const report = await diagnose(targetOf(there))
    const wrong = report.causes.filter(({ name }) => name !== 'disk' && name !== 'configuration')
    assert.deepEqual(wrong, [])
    const ofPlugins = there.kernel.plugins.flatMap(({ contribution }) => contribution.checks ?? [])
    const isOfPlugin = new Set(ofPlugins.map(({ name }) => name))
    const names = report.checks.map(({ name }) => name).filter(name => !isOfPlugin.has(name))
    // `service` is of the place it runs in.
    assert.deepEqual(names.sort(), checkNames.filter(name => name !== 'service').sort())
    assert.ok(ofPlugins.length > 0)
  } finally {
    await there.close()
  }
})

test('jobs of a plugin that is left out are told, and are no reason to start a worker', async () => {
  const there = await openInstallation()
  try {
    await there.kernel.open()
    await there.kernel.jobs.install()
    await there.db.query(`select jobs.create_queue('posts.published/absent', '{"policy": "standard"}')`)
    await there.db.query(
      `insert into jobs.job (name, start_after) values ('posts.published/absent', now() - interval '1 hour')`
    )
    const { checks } = await diagnose(targetOf(there))
    const queues = checks.find(({ name }) => name === 'queues')
    assert.equal(queues?.status, 'ok')
    assert.match(String(queues?.found), /1 of posts\.published\/absent until the plugin is back/)
  } finally {
    await there.close()
  }
})

test('a check that throws, or answers no finding, is critical by its name; the others are told all the same', async () => {
  const checks = [
    { name: 'tide', run: async () => 'high' as never },
    { name: 'moon', run: async () => ({ status: 'full', found: 'it is full' }) as never },
    { name: 'wind', run: () => Promise.reject(new Error('no vane')) },
    { name: 'fog', run: () => Promise.reject(Object.create(null)) },
    { name: 'harbour', run: async () => ok('open') }
  ]
  const results = await runChecks(checks, { unfinished: async () => [] })
  assert.deepEqual(
    results.map(({ name, status, found }) => [name, status, found]),
    [
      ['tide', 'critical', 'The check failed: it answers no finding.'],
      ['moon', 'critical', 'The check failed: it answers no finding.'],
      ['wind', 'critical', 'The check failed: no vane'],
      ['fog', 'critical', 'The check failed: what was thrown has no text'],
      ['harbour', 'ok', 'open']
    ]
  )
})

test('between the first steps of two checks others have a turn', async () => {
  const order: string[] = []
  const run = async (name: string) => {
    order.push(name)
    return ok(name)
  }
  const check = (name: string) => ({ name, run: () => run(name) })
  setImmediate(() => order.push('a reader'))
  await runChecks([check('tide'), check('moon')], { unfinished: async () => [] })
  assert.deepEqual(order, ['tide', 'a reader', 'moon'])
})

test('another’s check that gives nobody else a turn fails, or ends the process by its name', once, async () => {
  const place = createInstallation()
  const doctorWith = async (name: string) => {
    const own = ['auth', 'tasks', 'posts', 'gates', 'memory', 'media', 'webhooks', 'storage', 'export'].map(
      each => `./plugins/${each}`
    )
    const plugin = path.join(fixture('misbehaving'), `${name}.ts`)
    const env = { GALLEY_PLUGINS: configure(name, [...own, plugin]), GALLEY_PLUGIN_START_SECONDS: '8' }
    return await place.run(['doctor', '--json'], { env })
  }
  try {
    await installHome(place)
    const { status, stdout } = await doctorWith('loops-in-check')
    const { causes, checks }: Pick<Report, 'causes' | 'checks'> = JSON.parse(stdout)
    assert.equal(status, 2)
    assert.equal(causes.find(({ name }) => name === 'tide')?.found, 'The check failed: it did not end within 8 s')
    // What the setup stored is no reason for a job: it would wait for the first worker.
    assert.equal(checks.find(({ name }) => name === 'queues')?.found, '0 ready, 0 under way')
    const late = await doctorWith('loops-late-in-check')
    assert.match(late.stderr, /loops-late-in-check: its check "tide" did not end within 8 s/)
    assert.notEqual(late.status, 0)
  } finally {
    await place.close()
  }
})

/** Puts an installation back to where it was sound. */
async function reset({ db, home, kernel }: TestInstallation, applied: readonly Record<string, string>[]) {
  await db.script('delete from posts; delete from tasks; delete from app_settings; delete from jobs.job')
  await db.query('delete from schema_migrations')
  for (const { filename = '', namespace = '', checksum = '' } of applied)
    await db.query('insert into schema_migrations (filename, namespace, checksum) values ($1, $2, $3)', [
      filename,
      namespace,
      checksum
    ])
  await kernel.settings.load()
  chmodSync(home, 0o700)
  for (const name of readdirSync(home)) rmSync(path.join(home, name), { recursive: true })
}

test('each fault of an installation gives its cause and its remedy, and lowers the score', async t => {
  const there = await openInstallation()
  try {
    await there.kernel.open()
    await there.kernel.jobs.install()
    const applied = await there.db.query<Record<string, string>>('select * from schema_migrations')
    for (const [title, fault] of Object.entries(withDatabase)) {
      await t.test(title, async () => {
        await reset(there, applied)
        const change = (await fault.provoke(there)) ?? {}
        const report = await diagnose({ ...targetOf(there), ...change })
        const said = JSON.stringify(report.causes)
        const cause = report.causes.find(({ name }) => name === fault.check)
        assert.equal(cause?.status, fault.status, said)
        assert.match(cause?.found ?? '', fault.found)
        assert.match(cause?.remedy ?? '', fault.remedy)
        assert.equal(report.status, fault.status, said)
        assert.ok(report.score <= (fault.status === 'critical' ? 70 : 90))
      })
    }
  } finally {
    await there.close()
  }
})

test('what the next start would refuse is told beside a running server, which goes on', once, async () => {
  const place = createInstallation()
  const causes = async (env: Record<string, string> = {}) => {
    const { status, stdout } = await place.runHere(['doctor', '--json'], { env })
    const found: { name: string; status: string }[] = JSON.parse(stdout).causes
    return [status, found.find(({ name }) => name === 'plugins')?.status]
  }
  try {
    await installHome(place)
    const server = place.start(['serve'])
    await server.says(/galley is ready/)
    const env = { GALLEY_PLUGINS: configure('no-auth', ['./plugins/gates', './plugins/posts']) }
    assert.deepEqual(await causes(env), [2, 'critical'])
    const [status, plugins] = await causes()
    assert.notEqual(status, 2)
    assert.equal(plugins, undefined)
  } finally {
    await place.close()
  }
})
