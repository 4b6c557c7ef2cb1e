import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation } from '../helpers/program.ts'

const place = createInstallation()
after(() => place.close())
before(() => installHome(place))

const lists = [
  ['settings', 'list'],
  ['settings', 'list', '--json'],
  ['completion', 'bash'],
  ['posts', '--help'],
  ['--help']
]

/** Without a server, what needs the database opens it, which takes longer than all the others: it does so once. */
const listsAlone = lists.filter((_, at) => at !== 0)

async function readerLeaves(argvs: readonly string[][]) {
  for (const argv of argvs) {
    const running = place.start(argv)
    running.child.stdout?.destroy()
    const { status, stderr } = await running.ended
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, argv.join(' '))
  }
}

async function diskIsFull(argvs: readonly string[][]) {
  for (const argv of argvs) {
    const stdout = openSync('/dev/full', 'w')
    const { status, stderr } = await place.run(argv, { stdout })
    closeSync(stdout)
    assert.equal(status, 1, argv.join(' '))
    // The text of the bare --help is written before anything is loaded that could say more.
    if (argv.length > 1)
      assert.match(stderr, /^error: The output cannot be written \(ENOSPC\): make room, or [^\n]*\n$/)
  }
}

test('a reader that leaves early is no fault', () => readerLeaves(listsAlone))
test('output that cannot be written is told in one line, and ends with 1', { skip: !existsSync('/dev/full') }, () =>
  diskIsFull(listsAlone)
)

test('both hold where a server runs the command', async () => {
  // It serves the next tests too: a command that opens the embedded database itself takes seconds.
  const server = place.start(['serve'])
  await server.says(/galley is ready/)
  await readerLeaves(lists)
  if (existsSync('/dev/full')) await diskIsFull(lists)
})

test('a slow reader of a pipe gets all of it', async () => {
  const stdin = 'The tide comes in, and goes out. '.repeat(10_000)
  const created = await place.run(['posts', 'create', '--title', 'Tides', '--slug', 'tides', '--json'], { stdin })
  assert.equal(created.status, 0, created.stderr)
  const { stdout } = await place.run(['posts', 'get', 'tides', '--json'], { through: 'sleep 4; cat' })
  assert.equal(JSON.parse(stdout).content.length, stdin.length)
})

test('a text with a control character is refused, in an argument and on stdin', async () => {
  const clearScreen = '\u001b[2J'
  for (const [argv, stdin, field] of [
    [['posts', 'create', '--title', `Tides${clearScreen}`], 'A body.', 'title'],
    [['posts', 'create', '--title', 'Tides'], `A body.${clearScreen}`, 'body'],
    [['tasks', 'create', `Tides and tides${clearScreen}`], '', 'topic'],
    [['memory', 'store', '--writer', 'me', '--file', '-'], `A text.${clearScreen}`, 'file']
  ] as const) {
    const { status, stderr } = await place.run([...argv, '--json'], { stdin })
    assert.equal(status, 2, stderr)
    const { errors } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
    assert.match(errors[field] ?? '', /control character U\+001B/, stderr)
  }
})

test('with --json every faulty argument is named at once, in snake_case', async () => {
  const rows: [argv: string[], fields: string[]][] = [
    [
      ['posts', 'create', '--media', 'zip', '--title', 'a\u0007', '--slug', 'Bad Slug'],
      ['media', 'slug', 'title']
    ],
    [['posts', 'create', '--from-file', '/nonexistent'], ['from_file']],
    [
      ['posts', 'edit', '0'.repeat(8), '--seo-title', 'a\u0007', '--slug', 'Bad Slug'],
      ['seo_title', 'slug']
    ],
    [
      ['categories', 'describe', 'Bad Slug', '--name', 'n'.repeat(61)],
      ['name', 'slug']
    ],
    [['setup', '--db-url', 'nonsense'], ['db_url']]
  ]
  for (const [argv, fields] of rows) {
    const { status, stderr } = await place.runHere([...argv, '--json'])
    assert.equal(status, 2, stderr)
    assert.deepEqual(Object.keys(JSON.parse(stderr).errors).sort(), fields)
  }
})

test('people read times in the operator’s zone, in messages of failure too; JSON keeps them in UTC', async () => {
  const run = async (...argv: string[]) => {
    const { status, stdout, stderr } = await place.runHere(argv)
    return { status, text: stdout + stderr }
  }
  assert.equal((await run('settings', 'set', 'operator_timezone', 'Asia/Kolkata')).status, 0)
  const { client_id } = JSON.parse((await run('auth', 'register-client', '--name', 'n', '--json')).text)
  await run('auth', 'revoke-client', client_id)
  for (const argv of [
    ['migrate', 'status'],
    ['backup', 'create', '--file', path.join(place.home, 'backup')],
    ['auth', 'revoke-client', client_id]
  ]) {
    const { text } = await run(...argv)
    rmSync(path.join(place.home, 'backup'), { force: true })
    assert.match(text, / \d\d:\d\d\+05:30/, argv.join(' '))
    assert.doesNotMatch(text, /T\d\d:\d\d:\d\d/, argv.join(' '))
    assert.match((await run(...argv, '--json')).text, /T\d\d:\d\d:\d\d\.\d{3}Z/, argv.join(' '))
  }
})
