import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Program } from '../../../cli/framework/catalogue.ts'
import { runProgram } from '../../../cli/framework/run.ts'
import { type ArgDefinitions, type CommandGroup, command } from '../../../core/contract/command.ts'
import { ConflictError, InputError, NotFoundError } from '../../../core/contract/errors.ts'
import { recordSession } from '../../helpers/session.ts'

const echo = command({
  describe: 'Answer the arguments',
  args: {
    id: { type: 'positional', describe: 'An id', required: true },
    note: { type: 'positional', describe: 'A note', acceptsEmpty: true },
    title: { type: 'string', describe: 'A title', alias: 't' },
    'target-length': {
      type: 'integer',
      describe: 'Words',
      default: 1500,
      minimum: 200,
      maximum: 5000,
      placeholder: 'WORDS'
    },
    ratio: { type: 'number', describe: 'A share' },
    status: { type: 'string', describe: 'A state', options: ['draft', 'awaiting_approval'], default: 'draft' },
    force: { type: 'boolean', describe: 'Without asking', alias: 'f' },
    notify: { type: 'boolean', describe: 'Tell the operator', default: true }
  },
  run: async ({ args }) => args,
  text: args => `echo ${args.id}`
})

const failing = (error: unknown, args: ArgDefinitions = {}) =>
  command({
    describe: 'Fails',
    args,
    run: () => Promise.reject(error),
    text: () => ''
  })

const runs: string[] = []
const faults: CommandGroup = {
  conflict: failing(new ConflictError('It is taken.')),
  ambiguous: failing(new ConflictError('Two match: a, b.', 'AMBIGUOUS_ID')),
  missing: failing(new NotFoundError('There is no post "x\u001b[2J".')),
  input: failing(new InputError({ topic: 'is too short', tags: 'must be a list' })),
  value: failing(
    new InputError({ id: 'is not an id: give a UUID', start_at: 'must be a time', api_key: 'must be longer' }),
    {
      id: { type: 'positional', describe: 'An id' },
      'start-at': { type: 'string', describe: 'A time' },
      'api-key': { type: 'string', isSecret: true, describe: 'A secret' }
    }
  ),
  checked: command({
    describe: 'Looks at its values itself',
    args: {
      count: { type: 'integer', describe: 'How many', minimum: 1, default: 1 },
      'start-at': { type: 'string', describe: 'A time' }
    },
    validate: ({ 'start-at': at }): Record<string, string> => (at === 'noon' ? {} : { start_at: 'must be a time' }),
    run: async () => void runs.push('checked'),
    text: () => ''
  }),
  file: failing(new InputError({ file: 'is not a regular file' }, '/dev/zero is not a regular file.'), {
    file: { type: 'string', describe: 'A file' }
  }),
  flags: failing(new InputError({ 'from-file': 'does not exist', 'start-at': 'must be a time' }, 'x does not exist.'), {
    'from-file': { type: 'string', describe: 'A file' },
    'start-at': { type: 'string', describe: 'A time' }
  }),
  bug: failing(new TypeError('x is undefined')),
  list: command({
    describe: 'Lists',
    args: {},
    run: async () => ({ items: [], total: 0, limit: 20, offset: 0 }),
    text: () => 'nothing',
    exitStatus: () => 1
  })
}
const program: Program = {
  echo: { describe: 'Echoes', load: async () => ({ now: echo }) },
  clear: {
    describe: 'Clears everything',
    loadCommand: async () =>
      command({
        describe: 'Clears everything',
        args: { all: { type: 'boolean', describe: 'All' } },
        run: async () => void runs.push('cleared'),
        text: () => 'cleared'
      })
  },
  fault: { describe: 'Fails', load: async () => faults }
}

async function run(argv: readonly string[]) {
  const session = recordSession()
  const status = await runProgram({ name: 'galley', version: '1.2.3', program }, argv, session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}

const defaults = { 'target-length': 1500, status: 'draft', force: false, notify: true }

test('accepted command lines give the command its typed arguments', async () => {
  const rows: [string[], object][] = [
    [['a1'], {}],
    [['a1', 'words here'], { note: 'words here' }],
    [['a1', ''], { note: '' }],
    [['a1', '--title', 'One two'], { title: 'One two' }],
    [['a1', '--title=One=two'], { title: 'One=two' }],
    [['a1', '--title=--force'], { title: '--force' }],
    [['a1', '--title', '- a dash'], { title: '- a dash' }],
    [['a1', '-t', 'short'], { title: 'short' }],
    [['--target-length', '200', 'a1'], { 'target-length': 200 }],
    [['a1', '--ratio', '-0.5'], { ratio: -0.5 }],
    [['a1', '-5'], { note: '-5' }],
    [['a1', '-.5', '--ratio', '-.5'], { note: '-.5', ratio: -0.5 }],
    [['a1', '-2h', '-f'], { note: '-2h', force: true }],
    [['a1', '-'], { note: '-' }],
    [['a1', '--', '-5'], { note: '-5' }],
    [['a1', '--status', 'awaiting_approval'], { status: 'awaiting_approval' }],
    [['a1', '-f'], { force: true }],
    [['a1', '--no-notify'], { notify: false }],
    [['--', 'a1', '--help'], { note: '--help' }]
  ]
  for (const [argv, expected] of rows) {
    const { status, out, err } = await run(['echo', 'now', '--json', ...argv])
    assert.equal(status, 0, err)
    assert.deepEqual(JSON.parse(out), { id: 'a1', ...defaults, ...expected }, argv.join(' '))
  }
})

test('refused command lines exit with 2, name the fault and run nothing', async () => {
  const rows: [string[], RegExp][] = [
    [
      ['echo', 'now', 'a1', '--titel', 'x'],
      /^error: unknown flag --titel; did you mean --title\?\nusage: galley echo now <id>/
    ],
    [['echo', 'now', 'a1', '--target'], /unknown flag --target; did you mean --target-length\?/],
    [['echo', 'now', 'a1', '-x'], /unknown flag -x/],
    [['echo', 'now', '-moon'], /^error: unknown flag -moon; if it is no flag, write -- before it: -- -moon\n/],
    [['echo', 'now', '-well-known'], /^error: unknown flag -well-known; if it is no flag, write -- before it: /],
    [['echo', 'now', 'a1', 'x', '-5'], /unexpected argument "-5"/],
    [['echo', 'now', 'a1', '--no-force'], /unknown flag --no-force; did you mean --force\?/],
    [['echo', 'now', 'a1', '--targetLength', '300'], /unknown flag --targetLength; did you mean --target-length\?/],
    [['echo', 'now', 'a1', 'n', 'extra'], /unexpected argument "extra"/],
    [['echo', 'now', 'a1', '--title', ''], /--title must not be empty/],
    [['echo', 'now', 'a1', '--title='], /--title must not be empty/],
    [['echo', 'now', 'a1', '--title'], /--title needs a value/],
    [['echo', 'now', 'a1', '--title', '--force'], /--title needs a value, but --force follows; write --title=--force/],
    [['echo', 'now', 'a1', '--title', 'x', '--title', 'y'], /--title is given twice/],
    [['echo', 'now', 'a1', '--force=true'], /--force takes no value/],
    [['echo', 'now', 'a1', '--json=false'], /--json takes no value/],
    [
      ['echo', 'now', 'a1', '--target-length', '12e2'],
      /--target-length must be a whole number from 200 to 5000 \(given: "12e2"\)/
    ],
    [
      ['echo', 'now', 'a1', '--target-length', '-5'],
      /--target-length must be a whole number from 200 to 5000 \(given: "-5"\)/
    ],
    [['echo', 'now', 'a1', '--target-length', '99999999999999999999'], /--target-length must be a whole number/],
    [['echo', 'now', 'a1', '--ratio', 'Infinity'], /--ratio must be a number \(given: "Infinity"\)/],
    [
      ['echo', 'now', 'a1', '--status', 'drft'],
      /--status must be one of draft, awaiting_approval; did you mean draft\? \(given: "drft"\)/
    ],
    [['echo', 'now'], /<id> is required/],
    [['echo', 'now', ''], /<id> must not be empty/],
    [['echo', 'nwo'], /unknown echo command "nwo"; did you mean now\?/],
    [['echo'], /echo needs a command: now/],
    [['ehco'], /unknown command "ehco"; did you mean echo\?/],
    [['constructor'], /unknown command "constructor"/],
    [['--quiet'], /unknown flag "--quiet"/],
    [['clear', '--all', '--al'], /unknown flag --al/],
    [['clear', 'everything'], /unexpected argument "everything"/]
  ]
  for (const [argv, expected] of rows) {
    const { status, out, err } = await run(argv)
    assert.match(err, expected, argv.join(' '))
    assert.equal(status, 2, argv.join(' '))
    assert.equal(out, '')
  }
  assert.deepEqual(runs, [])
})

test('all faults of a command line are named at once', async () => {
  const { err } = await run(['echo', 'now', '--ratio', 'x', '--status', 'y'])
  assert.match(err, /error: --ratio .*\nerror: --status .*\nerror: <id> is required\nusage: /)
})

test('a time that was given is shown as it was typed, whatever the operator’s zone', async () => {
  const session = recordSession({})
  const options = { name: 'galley', version: '1.0.0', program, timeZone: () => 'Europe/Berlin' }
  await runProgram(options, ['fault', 'checked', '--start-at', '9999-12-31T23:59:59Z'], session)
  assert.match(session.err.join('\n'), /--start-at must be a time \(given: "9999-12-31T23:59:59Z"\)/)
})

test('every fault names its argument in the JSON, what the command itself finds included', async () => {
  const rows: [string[], object][] = [
    [
      ['echo', 'now', 'a1', '--target-length', '5', '--status', 'x'],
      {
        target_length: 'must be a whole number from 200 to 5000 (given: "5")',
        status: 'must be one of draft, awaiting_approval (given: "x")'
      }
    ],
    [['echo', 'now', '--title='], { title: 'must not be empty', id: 'is required' }],
    [['echo', 'now', 'a1', '--titel', 'x'], { titel: 'unknown flag --titel; did you mean --title?' }],
    [['echo', 'now', 'a1', 'n', 'x'], { arguments: 'unexpected argument "x"; quote a value that holds blanks' }],
    [
      ['fault', 'flags', '--from-file', 'x', '--start-at', 'y'],
      { from_file: 'does not exist', start_at: 'must be a time (given: "y")' }
    ],
    [
      ['fault', 'checked', '--start-at', 'a\u0007', '--count', '0'],
      {
        start_at: 'must not contain the control character U+0007 (given: "a\\u0007")',
        count: 'must be a whole number of at least 1 (given: "0")'
      }
    ],
    [['ehco'], { command: 'unknown command "ehco"; did you mean echo?' }],
    [['echo'], { command: 'echo needs a command: now' }],
    [
      ['fault', 'checked', '--count', '0', '--start-at', 'foo'],
      { count: 'must be a whole number of at least 1 (given: "0")', start_at: 'must be a time (given: "foo")' }
    ],
    [['fault', 'checked', '--count', '1', '--start-at', 'foo'], { start_at: 'must be a time (given: "foo")' }],
    [
      ['fault', 'checked', '--count', '0', '--start-at='],
      { count: 'must be a whole number of at least 1 (given: "0")', start_at: 'must not be empty' }
    ]
  ]
  for (const [argv, errors] of rows) {
    const { status, err } = await run([...argv, '--json'])
    const body = JSON.parse(err)
    assert.deepEqual([status, body.error_code, body.errors], [2, 'VALIDATION_ERROR', errors], argv.join(' '))
  }
  assert.deepEqual(runs, [])
})

test('help and version win over everything else on the line, and run nothing', async () => {
  const rows: [string[], RegExp][] = [
    [[], /COMMANDS[\s\S]*clear {4}Clears everything/],
    [['--help'], /galley v1\.2\.3/],
    [['-h'], /COMMANDS/],
    [['echo', '--help'], /galley echo[\s\S]*now {4}Answer the arguments/],
    [['echo', '-h', 'now'], /--target-length=<WORDS>/],
    [['clear', '--all', '--help'], /galley clear/],
    [['clear', '--help', '--nonsense', 'x', 'y'], /galley clear/],
    [['clear', '--all', '--version'], /^1\.2\.3$/],
    [['--version'], /^1\.2\.3$/],
    [['-v'], /^1\.2\.3$/]
  ]
  for (const [argv, expected] of rows) {
    const { status, out, err } = await run(argv)
    assert.match(out, expected, argv.join(' '))
    assert.equal(err, '')
    assert.equal(status, 0)
  }
  assert.deepEqual(runs, [])
})

test('help without a colour terminal has no escape sequences', async () => {
  const { out } = await run(['echo', 'now', '--help'])
  assert.doesNotMatch(out, /\u001b/)
  assert.match(out, /--json {4}Print the result as JSON/)
})

test('--json and --json-output are the same, also before the command', async () => {
  for (const argv of [
    ['echo', 'now', 'a1', '--json'],
    ['echo', 'now', 'a1', '--json-output'],
    ['--json', 'echo', 'now', 'a1']
  ]) {
    const { status, out } = await run(argv)
    assert.equal(status, 0)
    assert.equal(JSON.parse(out).id, 'a1')
  }
  const { out } = await run(['echo', 'now', 'a1'])
  assert.equal(out, 'echo a1')
})

test('failures print one line on stderr and exit with the status of their code', async () => {
  const rows: [string, number, RegExp][] = [
    ['conflict', 1, /^error: It is taken\.$/],
    ['ambiguous', 2, /^error: Two match: a, b\.$/],
    ['missing', 1, /^error: There is no post "x \[2J"\.$/],
    ['input', 2, /^error: topic is too short; tags must be a list$/],
    ['bug', 1, /^error: x is undefined \(LOG_LEVEL=debug shows where this came from\)$/]
  ]
  for (const [name, expected, text] of rows) {
    const { status, out, err } = await run(['fault', name])
    assert.match(err, text)
    assert.equal(status, expected, name)
    assert.equal(out, '')
  }
})

test('a message that names value and fault itself is all that is said', async () => {
  const { status, err } = await run(['fault', 'file', '--file', '/dev/zero'])
  assert.deepEqual([status, err], [2, 'error: /dev/zero is not a regular file.'])
})

test('input that a command refuses exits with 2, in the words of its command line and with the value quoted', async () => {
  const { status, err } = await run(['fault', 'value', 'x1', '--start-at', 'someday', '--api-key', 'hush'])
  assert.equal(status, 2)
  assert.equal(
    err,
    'error: <id> is not an id: give a UUID (given: "x1"); --start-at must be a time (given: "someday"); --api-key must be longer'
  )
})

test('a secret that begins with a dash is not repeated either', async () => {
  const { status, err } = await run(['fault', 'value', 'x1', '--api-key', '-hush'])
  assert.equal(status, 2)
  assert.match(err, /^error: --api-key needs a value, but … follows/)
  assert.doesNotMatch(err, /hush/)
})

test('with --json a failure is one JSON line on stderr, and stdout stays empty', async () => {
  const { status, out, err } = await run(['fault', 'input', '--json'])
  assert.equal(status, 2)
  assert.equal(out, '')
  assert.deepEqual(JSON.parse(err), {
    error_code: 'VALIDATION_ERROR',
    message: 'topic is too short; tags must be a list',
    errors: { topic: 'is too short', tags: 'must be a list' }
  })
})

test('a command may give its own exit status to a result', async () => {
  const { status, out } = await run(['fault', 'list', '--json'])
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(out), { items: [], total: 0, limit: 20, offset: 0 })
})

test('an interrupted command exits with 130', async () => {
  const session = recordSession()
  const waiting = command({
    describe: 'Waits',
    args: {},
    run: ({ terminal }) =>
      new Promise<string>((_, reject) =>
        terminal.signal.addEventListener('abort', () => reject(terminal.signal.reason))
      ),
    text: () => ''
  })
  const status = runProgram(
    { name: 'galley', version: '1', program: { wait: { describe: '', loadCommand: async () => waiting } } },
    ['wait'],
    session
  )
  setImmediate(() => session.interrupt())
  assert.equal(await status, 130)
  assert.deepEqual(session.err, [])
})
