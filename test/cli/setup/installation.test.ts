import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { createInstallation, type Running } from '../../helpers/program.ts'
import { until } from '../../helpers/until.ts'

// The tests share one installation, in order: making one takes seconds.
const place = createInstallation()
const bootstrap = path.join(place.home, 'bootstrap.env')
after(() => place.close())

const succeed = async (argv: string[], options?: Parameters<typeof place.run>[1]) => {
  const finished = await place.runHere(argv, options)
  assert.equal(finished.status, 0, finished.stderr)
  return finished
}
const json = async (...argv: string[]) => JSON.parse((await succeed([...argv, '--json'])).stdout)
const refuse = async (argv: string[], status: number, message: RegExp, env: Record<string, string> = {}) => {
  // A service that is refused never becomes one.
  const finished = await place.runHere(argv, { env })
  assert.match(finished.stderr, message)
  assert.deepEqual({ status: finished.status, stdout: finished.stdout }, { status, stdout: '' })
}

test('a setup killed in the middle leaves no keys, and a second one completes it', async () => {
  for (const begun of ['bootstrap.env.unfinished', 'data']) {
    const setup = place.start(['setup'])
    await until(() => existsSync(path.join(place.home, begun)), begun)
    setup.child.kill('SIGKILL')
    await setup.ended
    assert.equal(existsSync(bootstrap), false)
  }
  const { status, stdout, stderr } = await place.run(['setup', '--json'])
  assert.equal(status, 0, stderr)
  const { client_id, client_secret, database, steps } = JSON.parse(stdout)
  assert.match(client_id, /^gly_[0-9a-f]{32}$/)
  assert.ok(client_secret.length >= 43)
  assert.equal(database, 'embedded')
  assert.deepEqual(
    steps.map(({ step, status }: { step: string; status: string }) => `${step} ${status}`),
    ['database ok', 'migrations ok', 'bootstrap ok', 'jobs ok', 'client ok']
  )
  assert.deepEqual([statSync(place.home).mode & 0o777, statSync(bootstrap).mode & 0o777], [0o700, 0o600])
  assert.deepEqual(readdirSync(place.home).sort(), ['bootstrap.env', 'data', 'owner.lock'])
})

test('a second setup changes nothing and shows no secret', async () => {
  const keys = readFileSync(bootstrap, 'utf8')
  const { client_secret } = await json('setup')
  assert.equal(client_secret, null)
  assert.equal(readFileSync(bootstrap, 'utf8'), keys)
})

test('a bootstrap.env that others may read is refused by every command, with the remedy', async () => {
  chmodSync(bootstrap, 0o644)
  for (const argv of [['serve'], ['settings', 'list'], ['setup'], ['demo', 'A topic'], ['migrate', 'status']])
    await refuse(argv, 1, /^error: \S+bootstrap\.env may be read by others \(mode 0644\).*: run chmod 600 \S+\n$/)
  chmodSync(bootstrap, 0o600)
})

test('a bootstrap.env that is half written, or another installation’s, is refused and left as it is', async () => {
  const whole = readFileSync(bootstrap, 'utf8')
  const key = `POINDEXTER_SECRET_KEY=${Buffer.alloc(32, 1).toString('base64')}`
  const notDecrypting = /^error: POINDEXTER_SECRET_KEY does not decrypt the stored setting \w+: start with the key/m
  const noKey = /bootstrap\.env has no POINDEXTER_SECRET_KEY, and the database holds secrets.*: put back/
  const correct = /^FAIL {2}bootstrap .*POINDEXTER_SECRET_KEY (is missing|must be).*\n.*→ correct \S+bootstrap\.env/m
  const rows: [text: string, setup: RegExp, list: RegExp, check: RegExp][] = [
    ['', noKey, /POINDEXTER_SECRET_KEY: is missing/, correct],
    [
      whole.slice(0, whole.indexOf('=') + 20),
      notDecrypting,
      /POINDEXTER_SECRET_KEY: must be 32 bytes in base64/,
      correct
    ],
    [whole.replace(/^POINDEXTER_SECRET_KEY=.*$/m, key), notDecrypting, notDecrypting, /^FAIL {2}secrets /m]
  ]
  for (const [text, setup, list, check] of rows) {
    writeFileSync(bootstrap, text)
    await refuse(['setup'], 1, setup)
    await refuse(['settings', 'list'], 1, list)
    assert.match((await place.runHere(['setup', '--check'])).stdout, check)
    assert.equal((await place.runHere(['doctor'])).status, 2)
    assert.equal(readFileSync(bootstrap, 'utf8'), text)
  }
  writeFileSync(bootstrap, whole)
})

test('a bootstrap.env that is gone from beside its database is to be put back: setup could not make it', async () => {
  const whole = readFileSync(bootstrap, 'utf8')
  rmSync(bootstrap)
  const putBack = /put bootstrap\.env back, or name another folder with GALLEY_HOME/
  for (const argv of [['setup'], ['settings', 'list']]) await refuse(argv, 1, putBack)
  assert.match(
    (await place.runHere(['setup', '--check'])).stdout,
    /^FAIL {2}bootstrap .* is missing\n.*→ put bootstrap\.env back/m
  )
  mkdirSync(bootstrap)
  await refuse(['settings', 'list'], 1, /bootstrap\.env is a folder: put the file with the keys in its place/)
  rmdirSync(bootstrap)
  writeFileSync(bootstrap, whole, { mode: 0o600 })
})

test('a key that setup can make anew is left to setup', async () => {
  const whole = readFileSync(bootstrap, 'utf8')
  writeFileSync(bootstrap, whole.replace(/^GALLEY_JWT_SECRET=.*$/m, ''))
  await refuse(['settings', 'list'], 1, /run galley setup, which makes what is missing/)
  await succeed(['setup'])
  await succeed(['settings', 'list'])
})

test('a wrong master key is refused before anything listens', async () => {
  const env = { POINDEXTER_SECRET_KEY: Buffer.alloc(32).toString('base64') }
  await refuse(['serve'], 1, /^error: POINDEXTER_SECRET_KEY does not decrypt the stored setting \w+: start with/, env)
})

test('every fault of the environment is told at once', async () => {
  const env = { POINDEXTER_SECRET_KEY: 'short', PORT: 'http', LOG_LEVEL: 'loud' }
  await refuse(['serve'], 1, /LOG_LEVEL: must be one of[\s\S]*PORT: must be|PORT: must be[\s\S]*LOG_LEVEL/, env)
})

test('databases that cannot be used are refused, and the installation stays as it is', async () => {
  const keys = readFileSync(bootstrap, 'utf8')
  await refuse(
    ['setup', '--db-url', 'mysql://db/x', '--force'],
    2,
    /^error: --db-url must be a URL that begins with postgres/
  )
  await refuse(['setup', '--db-url', 'postgres://u:hidden@127.0.0.1:1/x'], 1, /is set up with the embedded database/)
  const unreachable = ['setup', '--db-url', 'postgres://u:hidden@127.0.0.1:1/x', '--force']
  await refuse(
    unreachable,
    1,
    /^error: the database x on 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\): check the address/
  )
  assert.equal(readFileSync(bootstrap, 'utf8'), keys)
  assert.equal(existsSync(`${bootstrap}.unfinished`), false)
})

test('a port that is taken is named', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise(done => blocker.once('listening', done))
  const { port } = blocker.address() as { port: number }
  await refuse(['serve'], 1, new RegExp(`^error: Port ${port} on 127\\.0\\.0\\.1 is in use: stop what listens there`), {
    PORT: String(port)
  })
  blocker.close()
})

let server: Running

test('a server answers, and a second one on its home is refused naming its pid', async () => {
  // Every quarter of an hour the posts are exported, by default into the home.
  await succeed(['settings', 'set', 'export_target', `file://${path.join(path.dirname(place.home), 'export')}`])
  server = place.start(['serve'])
  const [, url] = await server.says(/galley is ready at (\S+)/)
  await until(async () => (await fetch(`${url}/api/health`)).status === 200, 'it is healthy')
  await refuse(['serve'], 1, new RegExp(`is already served by process ${server.child.pid}: `))
  await refuse(['worker'], 1, /galley serve includes the worker/)
  await succeed(['setup'])
})

test('commands run beside the server', async () => {
  assert.equal((await json('settings', 'set', 'site_title', 'Tides & more')).value, 'Tides & more')
  assert.equal((await json('settings', 'get', 'site_title')).value, 'Tides & more')
  await refuse(['settings', 'set', 'site_titel', 'x'], 1, /^error: There is no setting "site_titel"/)
  const file = path.join(path.dirname(place.home), 'notes.md')
  writeFileSync(file, '# Notes\n\nThe harbour wall was raised by two metres in 1931.\n')
  const stored = await succeed(['memory', 'store', '--file', 'notes.md', '--writer', 'operator', '--json'])
  assert.ok(JSON.parse(stored.stdout).stored)
  const piped = await place.run(['posts', 'create', '--title', 'The old lighthouse', '--json'], {
    stdin: 'The old lighthouse has been dark since 1957.\n'
  })
  assert.equal(piped.status, 0, piped.stderr)
  assert.ok((await json('memory', 'search', 'harbour wall', '--min-similarity', '0')).items.length > 0)
})

test('SIGTERM while the server starts, and answers already, ends it in the same way', async () => {
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).status, 0)
  const starting = place.start(['serve'], { env: { LOG_LEVEL: 'info' } })
  await starting.says(/Server listening/)
  starting.child.kill('SIGTERM')
  assert.equal((await starting.ended).status, 0)
  assert.equal(existsSync(path.join(place.home, 'owner.pid')), false)
  server = place.start(['serve'])
  await server.says(/galley is ready/)
})

test('SIGTERM ends the server with 0 and leaves nothing behind', async () => {
  server.child.kill('SIGTERM')
  const { status, stdout } = await server.ended
  assert.deepEqual({ status, stdout }, { status: 0, stdout: '' })
  assert.deepEqual(readdirSync(place.home).sort(), ['bootstrap.env', 'bootstrap.lock', 'data', 'owner.lock'])
  assert.equal((await json('settings', 'get', 'site_title')).value, 'Tides & more')
})

test('the lock of a server that was killed is taken over', async () => {
  const killed = place.start(['serve'])
  await killed.says(/galley is ready/)
  killed.child.kill('SIGKILL')
  await killed.ended
  assert.ok(existsSync(path.join(place.home, 'owner.pid')))
  assert.ok((await json('settings', 'list')).total > 0)
})
