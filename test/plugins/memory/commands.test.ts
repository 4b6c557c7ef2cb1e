import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CommandGroup, UnavailableError } from '#core'
import { isConfirmed } from '../../../cli/framework/confirm.ts'
import { runProgram } from '../../../cli/framework/run.ts'
import { clientEntryId } from '../../../plugins/memory/input.ts'
import { commandsOf } from '../../helpers/kernel.ts'
import { recordSession } from '../../helpers/session.ts'
import { type MemoryUnderTest, startMemory } from './service.ts'

let service: MemoryUnderTest
let commands: CommandGroup
const cwd = mkdtempSync(join(tmpdir(), 'galley-memory-'))
const { terminal } = recordSession({ cwd })

before(async () => {
  service = await startMemory()
  service.set({ memory_max_bytes: 4096 })
  commands = await commandsOf(service.contribution, 'memory')
})
after(async () => {
  await service.close()
  rmSync(cwd, { recursive: true })
})

const unread = { print: () => {}, closed: new AbortController().signal }

async function run(
  name: string,
  args: Record<string, unknown>,
  at = terminal
): Promise<{ result: Record<string, unknown>; text: string }> {
  const command = commands[name]
  if (command === undefined) throw new TypeError(`no command ${name}`)
  const result = await command.run({
    args: args as never,
    isJson: false,
    terminal: at,
    actor: 'operator',
    output: unread
  })
  return { result: result as Record<string, unknown>, text: command.text(result, at, args as never) }
}

const store = (args: Record<string, unknown>) => run('store', { writer: 'operator', 'source-table': 'memory', ...args })

describe('memory store', () => {
  test('stores a text, and the same text once', async () => {
    const first = await store({ text: 'Backups run nightly.', tags: 'ops, backup,,ops' })
    assert.equal(first.result.stored, true)
    assert.match(first.text, /^Stored memory\/text-[0-9a-f]{16} in 1 passage\.$/)
    assert.equal((await store({ text: 'Backups run nightly.', tags: 'ops,backup' })).result.stored, false)
    const [row] = await service.db.query('select tags, writer from memory_entries')
    assert.deepEqual(row, { tags: ['ops', 'backup'], writer: 'operator' })
  })

  test('stores a file found from where the command was run', async () => {
    writeFileSync(join(cwd, 'note.md'), '\ufeff# Note\n\nCafé at noon.')
    assert.deepEqual((await store({ file: 'note.md', 'source-id': 'note', 'source-table': 'issues' })).result, {
      source_table: 'issues',
      source_id: 'note',
      chunks: 1,
      stored: true
    })
    const [row] = await service.db.query("select text, title from memory_entries where source_id = 'note'")
    assert.deepEqual(row, { text: '# Note\n\nCafé at noon.', title: 'Note' })
  })

  const files: [string, () => void, RegExp][] = [
    ['missing.md', () => undefined, /does not exist/],
    ['.', () => undefined, /is not a regular file/],
    [
      'image.png',
      () => writeFileSync(join(cwd, 'image.png'), Buffer.from([137, 80, 78, 71, 0, 1])),
      /is a binary file/
    ],
    ['latin1.txt', () => writeFileSync(join(cwd, 'latin1.txt'), Buffer.from([99, 97, 102, 233])), /is not UTF-8 text/],
    ['empty.txt', () => writeFileSync(join(cwd, 'empty.txt'), ''), /empty\.txt is empty/],
    ['large.txt', () => writeFileSync(join(cwd, 'large.txt'), 'x'.repeat(4097)), /has 4097 bytes; at most 4096/],
    [
      'huge.txt',
      () => {
        writeFileSync(join(cwd, 'huge.txt'), '')
        truncateSync(join(cwd, 'huge.txt'), 200 * 1024 * 1024)
      },
      /has 209715200 bytes; at most 4096/
    ],
    ['pipe', () => void execFileSync('mkfifo', [join(cwd, 'pipe')]), /is not a regular file/]
  ]
  for (const [file, make, message] of files) {
    test(`refuses the file ${file}`, async () => {
      make()
      await assert.rejects(store({ file }), { code: 'VALIDATION_ERROR', message })
    })
  }

  test('stores what stdin has, in bounds', async () => {
    const piped = (stdin: string) => recordSession({ cwd, stdin }).terminal
    const from = (stdin: string) =>
      run('store', { writer: 'operator', 'source-table': 'memory', file: '-' }, piped(stdin))
    assert.equal((await from('Piped in.')).result.stored, true)
    await assert.rejects(from(' \n'), { code: 'VALIDATION_ERROR', message: 'stdin is empty.' })
    await assert.rejects(from('x'.repeat(4097)), {
      code: 'VALIDATION_ERROR',
      message: 'stdin has more than 4096 bytes; at most 4096 are taken (setting memory_max_bytes).',
      fields: { file: 'has more than 4096 bytes; at most 4096 are taken (setting memory_max_bytes)' }
    })
    await assert.rejects(from('PK\0\u0001'), { message: 'stdin is a binary file: only UTF-8 text is taken.' })
    await run('remove', { source_id: clientEntryId('Piped in.', 'operator'), 'source-table': 'memory' })
  })

  test('keeps the same text of another writer beside', async () => {
    const first = await store({ text: 'Seen twice.' })
    const second = await store({ text: 'Seen twice.', writer: 'claude' })
    assert.notEqual(first.result.source_id, second.result.source_id)
    for (const { result } of [first, second])
      await run('remove', { source_id: result.source_id, 'source-table': 'memory' })
  })

  for (const [title, name, args, fields] of [
    ['a question of more than 2,000 characters', 'search', { query: '🌊'.repeat(2001) }, ['query']],
    ['one of 2,000, whatever they take', 'search', { query: '🌊'.repeat(2000) }, []],
    ['neither --text nor --file', 'store', { writer: 'x' }, ['text']],
    ['both', 'store', { writer: 'x', text: 'a', file: 'note.md' }, ['text']],
    [
      'everything at once',
      'store',
      { writer: ' ', text: ' ', 'source-id': 'x'.repeat(201) },
      ['source_id', 'text', 'writer']
    ],
    ['a blank question', 'search', { query: '  ', writer: 'x'.repeat(201) }, ['query', 'writer']],
    ['nothing that is right', 'search', { query: 'tides', tags: '' }, []]
  ] as const) {
    test(`what is checked before it runs: ${title}`, () => {
      assert.deepEqual(Object.keys(commands[name]?.validate?.(args) ?? {}).sort(), [...fields])
    })
  }
})

test('--text beside --file is refused in one sentence, and so is neither', async () => {
  const program = { memory: { describe: 'Memory', load: async () => commands } }
  const said = async (...argv: string[]) => {
    const session = recordSession({ cwd })
    const options = { name: 'galley', version: '0.0.0', program }
    await runProgram(options, ['memory', 'store', '--writer', 'x', ...argv], session)
    return session.err[0]
  }
  assert.equal(
    await said('--text', 'a', '--file', 'b'),
    'error: --text cannot be given together with --file (given: "a")'
  )
  assert.equal(await said(), 'error: --text must be given, or --file')
})

describe('memory remove', () => {
  test('is refused without --yes where nobody can be asked', async () => {
    const { remove } = commands
    if (remove === undefined) throw new TypeError('no command remove')
    const args = { source_id: 'gone', 'source-table': 'memory' }
    const nobody = { isJson: false, terminal: { isInteractive: false, ask: async () => null } }
    await assert.rejects(isConfirmed(remove, { args, ...nobody }), /add --yes to go on/)
    assert.equal(await isConfirmed(remove, { args: { ...args, yes: true }, ...nobody }), true)
  })

  test('deletes an entry, and says when there is none', async () => {
    await store({ text: 'To be forgotten.', 'source-id': 'gone' })
    const args = { source_id: 'gone', 'source-table': 'memory' }
    assert.equal((await run('remove', args)).text, 'Deleted memory/gone.')
    await assert.rejects(run('remove', args), { code: 'NOT_FOUND', message: /no entry memory\/gone/ })
  })
})

describe('memory search, status, embed and backfill-posts', () => {
  test('search prints passages, or how to find more', async () => {
    const found = await run('search', { query: 'backups run nightly', 'min-similarity': 0.5, limit: 5 })
    assert.match(found.text, /^1\.000 {2}memory\/text-[0-9a-f]{16} #0 {2}by operator\n {2}Backups run nightly\.$/)
    assert.deepEqual(Object.keys(found.result), ['items', 'total', 'limit', 'offset', 'degraded'])
    const nothing = await run('search', { query: 'zebra', writer: 'nobody', 'min-similarity': 0.5, limit: 5 })
    assert.equal(nothing.text, 'Nothing found. A lower --min-similarity or fewer filters may find more.')
  })

  test('search that finds nothing names a --min-similarity that does', async () => {
    const asked = { query: 'how do nightly trains and ships run', limit: 5 }
    const { text, result } = await run('search', { ...asked, 'min-similarity': 0.95 })
    const [, nearest, lower] =
      text.match(
        /^Nothing as near as 0\.95; the nearest is (0\.\d{3}) \(memory\/text-[0-9a-f]{16}\): --min-similarity (0\.\d{1,2}) shows it\.$/
      ) ?? []
    assert.ok(nearest?.startsWith(lower ?? '-'), text)
    const found = await run('search', { ...asked, 'min-similarity': Number(lower) })
    assert.match(found.text, /^0\.\d{3} {2}memory\//)
    assert.deepEqual((result as { items?: unknown }).items, [])
    const command = commands.search
    const args = { ...asked, 'min-similarity': 0.95 } as never
    const json = await command?.run({ args, isJson: true, terminal, actor: 'operator', output: unread })
    assert.deepEqual(json, { items: [], total: 0, limit: 5, offset: 0, degraded: false })
  })

  test('search says on stderr, once, that the embedder is away', async () => {
    const unavailable = await startMemory()
    const embed = async () => {
      throw new UnavailableError('It is away.')
    }
    await unavailable.memory.store({
      ...{ source_table: 'memory', source_id: 'a', writer: 'operator', text: 'Backups run nightly.' }
    })
    unavailable.memory.registerEmbedder('away', { model: 'away-v1', embed })
    unavailable.set({ embedder: 'away' })
    await unavailable.db.query('delete from memory_models')
    const program = {
      memory: { describe: 'Memory', load: () => commandsOf(unavailable.contribution, 'memory') }
    }
    for (const flags of [[], ['--json']]) {
      const session = recordSession()
      const options = { name: 'galley', version: '0.0.0', program }
      assert.equal(await runProgram(options, ['memory', 'search', 'backups run nightly', ...flags], session), 0)
      assert.deepEqual(session.err, [
        'The embedder does not answer: this was found by words alone. galley doctor says why.'
      ])
      assert.doesNotMatch(session.out.join('\n'), /does not answer/)
      assert.match(session.out.join('\n'), flags.length === 0 ? /^1\.000 {2}memory\/a/ : /"degraded": true/)
    }
    await unavailable.close()
  })

  test('status of an empty memory has no empty headings', async () => {
    const empty = await startMemory()
    const status = (await commandsOf(empty.contribution, 'memory')).status
    assert.equal(
      status?.text(await empty.memory.stats(), terminal, {}),
      '0 embeddings by galley-hash-v3, 768 dimensions'
    )
    await empty.close()
  })

  test('status prints the counts', async () => {
    assert.match(
      (await run('status', {})).text,
      /^2 embeddings by galley-hash-v3, 768 dimensions\nBy source table:\n {2}issues +1 {2}20/
    )
  })

  test('status says when the setting names no embedder, and counts what there is', async () => {
    service.set({ embedder: 'nobody' })
    assert.match(
      (await run('status', {})).text,
      /^The setting embedder is nobody, which no plugin provides: .*\n2 embeddings by galley-hash-v3/
    )
    service.set({ embedder: 'embedded' })
  })

  test('status shows how far the embeddings of another model are', async () => {
    service.memory.registerEmbedder('slow', { model: 'slow-v1', embed: async () => new Promise(() => {}) })
    service.set({ embedder: 'slow' })
    const { text } = await run('status', {})
    service.set({ embedder: 'embedded' })
    assert.match(
      text,
      /^2 embeddings by galley-hash-v3, 768 dimensions\nslow-v1 takes over once every passage has one, 2 passages waiting for one \(0 % done\)\.\nBy source table:\n {2}issues +1 /
    )
  })

  test('status never says less than none is done', () => {
    const stats = {
      ...{ total: 100, pending: 103, fault: null, refused: 0, refusals: [], dimensions: 768 },
      ...{ model: 'new', serving_model: 'old', by_source_table: [], by_writer: [] }
    }
    const lines = commands.status?.text(stats, terminal, {})
    assert.match(lines ?? '', /103 passages waiting for one \(0 % done\)/)
    assert.match(commands.status?.text({ ...stats, pending: 25 }, terminal, {}) ?? '', /\(75 % done\)/)
    const serving = { ...stats, model: 'old', pending: 300 }
    assert.match(commands.status?.text(serving, terminal, {}) ?? '', /\(25 % done\)/)
  })

  test('embed prints 768 numbers', async () => {
    const { result, text } = await run('embed', { text: 'hello' })
    assert.equal(JSON.parse(text).length, 768)
    assert.deepEqual(Object.keys(result), ['model', 'dimensions', 'embedding'])
    await assert.rejects(run('embed', { text: ' ' }), { code: 'VALIDATION_ERROR' })
  })

  test('backfill-posts reads the posts again', async () => {
    service.memory.registerBackfill('posts', async function* () {
      yield { source_table: 'posts', source_id: 'p1', writer: 'posts', text: 'A post.' }
    })
    assert.equal((await run('backfill-posts', {})).text, '1 post read, 1 new or changed, 1 embedding made.')
    const embed = async () => {
      throw new UnavailableError('It is away.')
    }
    service.memory.registerEmbedder('away', { model: 'away-v1', embed })
    service.set({ embedder: 'away' })
    const { text } = await run('backfill-posts', {})
    const check = await service.contribution.checks?.[0]?.run({ signal: new AbortController().signal } as never)
    service.set({ embedder: 'embedded' })
    assert.equal(text, '1 post read, 0 new or changed, 0 embeddings made. A job makes the others later: It is away.')
    assert.match(check?.found ?? '', /^Searches go on with the vectors by galley-hash-v3, .*: It is away\.$/)
  })
})
