import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { runProgram } from '../../../cli/framework/run.ts'
import { setupCommand } from '../../../cli/setup/setup.ts'
import { readBootstrap } from '../../../core/home.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { recordSession } from '../../helpers/session.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-auto-'))
after(() => rmSync(folder, { recursive: true }))
let homes = 0

/** A place with a home and a `docker` of its own, which starts nothing: it plays the engine with files. */
function newPlace(script?: string) {
  const place = path.join(folder, String(homes++))
  const bin = path.join(place, 'bin')
  mkdirSync(bin, { recursive: true })
  if (script !== undefined) {
    writeFileSync(path.join(bin, 'docker'), `#!/bin/sh\nplace='${place}'\necho "$@" >> "$place/calls"\n${script}\n`)
    chmodSync(path.join(bin, 'docker'), 0o755)
  }
  const home = path.join(place, 'home')
  const env = { GALLEY_HOME: home, PATH: script === undefined ? bin : `${bin}:${process.env.PATH}` }
  return { place, home, env, calls: () => readFileSync(path.join(place, 'calls'), 'utf8') }
}

async function setup(env: NodeJS.ProcessEnv, argv: string[], facts: Parameters<typeof recordSession>[0] = {}) {
  const session = recordSession(facts)
  const program = { setup: { describe: 'Set up', loadCommand: async () => setupCommand(env) } }
  const status = await runProgram({ name: 'galley', version: '1.0.0', program }, ['setup', ...argv], session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}

test('setup --auto says what to do when there is no Docker, or no engine answers, and writes nothing', async () => {
  const rows: [script: string | undefined, message: RegExp][] = [
    [undefined, /There is no docker command on this machine\. Without Docker, galley setup uses the embedded database/],
    [
      'echo "Cannot connect to the Docker daemon" >&2; exit 1',
      /No Docker engine answers \(Cannot connect to the Docker/
    ]
  ]
  for (const [script, message] of rows) {
    const { env, home } = newPlace(script)
    const { status, out, err } = await setup(env, ['--auto'])
    assert.match(err, message)
    assert.deepEqual([status, out, existsSync(home)], [1, '', false])
  }
})

test('setup --auto removes a container that cannot start, and writes nothing', async () => {
  const { env, home, calls } = newPlace(
    'case $1 in version) echo 27.0;; container) exit 1;; run) echo "port is already allocated" >&2; exit 125;; esac'
  )
  const { status, err } = await setup(env, ['--auto'])
  assert.match(err, /docker run failed: port is already allocated/)
  assert.match(calls(), /\nrm galley-postgres\n$/)
  assert.deepEqual([status, existsSync(home)], [1, false])
})

test('setup --auto leaves another home’s container alone', async () => {
  const inspected = JSON.stringify([
    {
      State: { Running: true },
      Config: { Env: [], Labels: { 'galley.home': '/other' } },
      HostConfig: { PortBindings: {} }
    }
  ])
  const { env, calls } = newPlace(`case $1 in version) echo 27.0;; container) echo '${inspected}';; esac`)
  const { status, err } = await setup(env, ['--auto'])
  assert.match(err, /The container galley-postgres belongs to \/other, not to /)
  assert.equal(status, 1)
  assert.doesNotMatch(calls(), /^(run|start|rm) /m)
})

test('the password of a URL that was typed or given is in no message', async () => {
  const urls = [
    'postgres://u:s3cr3t@127.0.0.1:1/x',
    'postgres://u:s3cr3t@127.0.0.1:99999/x',
    'postgres://u:s3cr3t@h:x/'
  ]
  for (const url of urls) {
    const { env, home } = newPlace()
    const typed = await setup(env, [], { isInteractive: true, answers: ['2', url] })
    const given = await setup(env, ['--db-url', url, '--json'])
    for (const { status, out, err } of [typed, given]) {
      assert.equal(status, 1)
      assert.match(err, /cannot be used/)
      assert.doesNotMatch(out + err, /s3cr3t/)
    }
    assert.equal(existsSync(path.join(home, 'bootstrap.env')), false)
  }
})

test('flags of setup that exclude each other are refused', async () => {
  for (const argv of [
    ['--auto', '--db-url', 'postgres://x'],
    ['--check', '--auto'],
    ['--check', '--force']
  ]) {
    const { status, err } = await setup({ GALLEY_HOME: path.join(folder, 'none') }, argv)
    assert.match(err, /exclude each other/)
    assert.equal(status, 2)
  }
})

/** Plays an engine whose container is the database at `url`. */
const engine = (url: URL) => `
case $1 in
  version) echo 27.0 ;;
  container)
    [ -f "$place/container" ] || { echo "No such container" >&2; exit 1; }
    cat "$place/container" ;;
  run)
    [ -n "$POSTGRES_PASSWORD" ] || exit 1
    for word in "$@"; do case $word in galley.home=*) home=\${word#galley.home=};; esac; done
    cat > "$place/container" <<END
[{"State": {"Running": true}, "Config": {"Env": ["POSTGRES_USER=${url.username}", "POSTGRES_DB=${url.pathname.slice(1)}",
  "POSTGRES_PASSWORD=$POSTGRES_PASSWORD"], "Labels": {"galley.home": "$home"}},
  "HostConfig": {"PortBindings": {"5432/tcp": [{"HostIp": "127.0.0.1", "HostPort": "${url.port}"}]}}}]
END
    ;;
  start) sed -i 's/"Running": false/"Running": true/' "$place/container" ;;
esac`

test('setup --auto starts a container, and a second run takes it again', { skip: !testServerUrl }, async () => {
  const { url, db } = await openOnServer(testServerUrl ?? '', { migrated: false })
  try {
    const { env, home, place, calls } = newPlace(engine(new URL(url)))
    const first = await setup(env, ['--auto'])
    assert.equal(first.status, 0, first.err)
    assert.match(first.out, /client_secret/)
    assert.match(calls(), /^run -d .*--name galley-postgres .*-p 127\.0\.0\.1:\d+:5432 .*pgvector\/pgvector:pg17$/m)
    const { DATABASE_URL } = readBootstrap(home) ?? {}
    const password = new URL(DATABASE_URL ?? '').password
    assert.ok(password.length >= 32)
    assert.doesNotMatch(calls(), new RegExp(password))

    const container = path.join(place, 'container')
    writeFileSync(container, readFileSync(container, 'utf8').replace('"Running": true', '"Running": false'))
    const second = await setup(env, ['--auto'])
    assert.equal(second.status, 0, second.err)
    assert.doesNotMatch(second.out, /client_secret/)
    assert.equal(calls().match(/^run /gm)?.length, 1)
    assert.equal(calls().match(/^start galley-postgres$/gm)?.length, 1)
    assert.equal(readBootstrap(home)?.DATABASE_URL, DATABASE_URL)

    const check = await setup(env, ['--check', '--json'])
    assert.equal(check.status, 0, check.out)
    assert.equal((JSON.parse(check.out) as { ready: boolean }).ready, true)
  } finally {
    await db.close()
  }
})
