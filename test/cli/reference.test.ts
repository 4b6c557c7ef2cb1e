import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAll } from '../../cli/catalogue.ts'
import type { Catalogue, CatalogueCommand } from '../../cli/framework/catalogue.ts'
import { resolveLine } from '../../cli/framework/resolve.ts'
import { UsageError } from '../../cli/framework/usage-error.ts'
import { localProgram } from '../../cli/local-program.ts'
import type { ArgDefinitions } from '../../core/contract/command.ts'
import { packageRoot } from '../../core/paths.ts'

const catalogue = await describeAll({ env: {}, cwd: packageRoot, local: localProgram({}) })
const options = { name: 'galley', version: '1.0.0', hasColour: false }

/** The specification's table: positionals, flags, and `name=default` where it states a default. */
const table: Readonly<Record<string, string>> = {
  setup: '--auto --db-url --check --force',
  'auth mint-token': '--client-id --client-secret --client',
  'auth migrate-cli': '',
  'auth migrate-mcp': '',
  'auth migrate-mcp-gladlabs': '',
  'auth migrate-brain': '',
  'auth migrate-scripts': '',
  'auth migrate-openclaw': '',
  'auth list-clients': '',
  'auth register-client': '--name --scope',
  'auth revoke-client': '<client_id>',
  'memory search': '<query> --writer --source-table --min-similarity=0.5 --limit=5',
  'memory status': '',
  'memory embed': '<text>',
  'memory backfill-posts': '',
  'memory store': '--text --file --writer --source-id --source-table=memory --tags',
  'tasks list': '',
  'tasks get': '<task_id>',
  'tasks create': '<topic>',
  'tasks publish': '<task_id>',
  'tasks approve': '<task_id>',
  'tasks reject': '<task_id> --feedback --retry --final',
  'posts list': '',
  'posts search': '<query>',
  'posts get': '<slug>',
  'posts publish': '<post_id>',
  'posts archive': '<post_id>',
  'posts unpublish': '<post_id>',
  'posts retitle': '<post_id> <title>',
  'posts create': '--from-file --title --slug --niche --excerpt --status=draft --media --force',
  'settings list': '',
  'settings get': '<key> --reveal',
  'settings set': '<key> <value> --allow-new --secret --category',
  'settings disable': '<key>',
  'settings enable': '<key>',
  'costs budget': '',
  'costs operational': '',
  'gates list': '',
  'gates approve': '<task_id> --gate',
  'gates set': '<gate> <state>',
  'topics list': '--source',
  'topics show': '<task_id>',
  'topics approve': '<task_id> --feedback',
  'topics reject': '<task_id> --reason',
  'topics propose':
    '--topic --keyword --tags --category --source=manual --target-length=1500 --style=technical --tone=professional',
  'schedule at': '<post_id> <when> --in --force',
  'schedule batch': '--count --interval --start --quiet-hours --ordered-by=approved_at --force',
  'schedule list': '--all',
  'schedule show': '<post_id>',
  'schedule shift': '<post_id> --by --all',
  'schedule clear': '<post_id> --all',
  'schedule approve': '<post_id>',
  'schedule reject': '<post_id>',
  'schedule pending': '',
  'schedule show-pending': '<post_id>',
  'migrate status': '',
  'migrate up': '--to',
  'migrate down': '--to --all --yes',
  'webhooks relay': ''
}

/** Commands of the table that are not there yet. */
const toCome: string[] = []

const find = (line: string): CatalogueCommand | undefined => {
  const [first = '', second = ''] = line.split(' ')
  const entry: Catalogue[string] | undefined = catalogue[first]
  return entry !== undefined && 'commands' in entry ? entry.commands[second] : entry
}

const rows = Object.entries(table).filter(([line]) => !toCome.includes(line))

test('every command of the specification is there, but for those to come', () => {
  assert.deepEqual(
    toCome.filter(line => find(line) !== undefined),
    [],
    'strike out what has come'
  )
  assert.deepEqual(
    rows.filter(([line]) => find(line) === undefined).map(([line]) => line),
    []
  )
})

test('every command takes the arguments and has the defaults that the specification gives it', () => {
  for (const [line, words] of rows) {
    const args: ArgDefinitions = find(line)?.args ?? {}
    const given = words.split(' ').filter(Boolean)
    const positionals = Object.keys(args).filter(name => args[name]?.type === 'positional')
    assert.deepEqual(
      positionals,
      given.filter(word => word.startsWith('<')).map(word => word.slice(1, -1)),
      line
    )
    for (const word of given.filter(name => name.startsWith('--'))) {
      const [name = '', fallback] = word.slice(2).split('=')
      assert.ok(Object.hasOwn(args, name), `${line} ${word}`)
      if (fallback !== undefined) assert.equal(String(args[name]?.default), fallback, `${line} ${word}`)
    }
  }
})

/** Every command, the plugins' included, with a command line that it accepts. */
function* everyCommand(): Generator<{ path: string[]; command: CatalogueCommand; line: string[] }> {
  for (const [first, entry] of Object.entries(catalogue)) {
    const commands = 'commands' in entry ? Object.entries(entry.commands) : [['', entry] as const]
    for (const [second, command] of commands) {
      const path = [first, second].filter(Boolean)
      yield { path, command, line: [...path, ...acceptedArguments(command)] }
    }
  }
}

function acceptedArguments({ args }: CatalogueCommand): string[] {
  return Object.entries(args).flatMap(([name, { type, required, options: values, minimum = 1 }]) => {
    // Optional ones too: a further argument is then one too many.
    if (!required && type !== 'positional') return []
    const value = values?.[0] ?? (type === 'integer' || type === 'number' ? String(minimum) : 'x')
    return type === 'positional' ? [value] : [`--${name}`, value]
  })
}

test('every command has help, with its arguments and what they mean', async () => {
  for (const { path, command } of everyCommand()) {
    const help = await resolveLine(catalogue, [...path, '--help'], options)
    assert.ok(help.kind === 'text', path.join(' '))
    for (const [name, { type, describe }] of Object.entries(command.args)) {
      assert.match(describe, /\S/)
      assert.match(
        help.text,
        type === 'positional' ? new RegExp(name, 'i') : new RegExp(`--${name}\\b`),
        path.join(' ')
      )
    }
    assert.match(help.text, /--json/)
  }
})

/** As the build writes it: what commands make of the values themselves is left out. */
const declared = JSON.parse(JSON.stringify(catalogue)) as typeof catalogue

test('every command takes --json and --json-output, before it and after it', async () => {
  for (const { line } of everyCommand()) {
    for (const argv of [
      [...line, '--json'],
      [...line, '--json-output'],
      ['--json', ...line]
    ]) {
      const request = await resolveLine(declared, argv, options)
      assert.ok(request.kind === 'run' && request.json, argv.join(' '))
    }
  }
})

test('every command refuses an unknown flag and an argument too many', async () => {
  for (const { line } of everyCommand()) {
    for (const extra of ['--no-such-flag', '-Z', 'one-too-many']) {
      await assert.rejects(resolveLine(catalogue, [...line, extra], options), UsageError, `${line.join(' ')} ${extra}`)
    }
  }
})

test('what a command finds in its values is told together with what is wrong with the line', async () => {
  const rows: [argv: string[], fields: string[]][] = [
    [
      ['posts', 'create', '--status', 'x', '--slug', 'Bad Slug', '--media', 'podcast,film'],
      ['media', 'slug', 'status']
    ],
    [
      ['tasks', 'create', 'ab', '--target-length', '1', '--audience', ' '],
      ['audience', 'target_length', 'topic']
    ],
    [
      ['topics', 'propose', '--topic', '', '--target-length', '100'],
      ['target_length', 'topic']
    ],
    [
      ['tasks', 'reject', '--feedback', ' ', '--retry', '--final'],
      ['feedback', 'final', 'task_id']
    ],
    [
      ['jobs', 'retry', '--queue', 'x'],
      ['job_id', 'queue']
    ]
  ]
  for (const [argv, fields] of rows) {
    const namesAllFaults = (error: unknown) => {
      assert.ok(error instanceof UsageError)
      assert.deepEqual(Object.keys(error.fields).sort(), fields, error.message)
      return true
    }
    await assert.rejects(resolveLine(catalogue, argv, options), namesAllFaults)
  }
})

test('every command says what its JSON is, unless it prints none', () => {
  const silent = ['serve', 'worker']
  const without = [...everyCommand()].filter(({ command }) => command.returns === undefined)
  assert.deepEqual(
    without.map(({ path }) => path.join(' ')),
    silent
  )
})
