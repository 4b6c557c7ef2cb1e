import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  type CraftedEntry,
  craft,
  craftedHeader,
  emptySum,
  headerWith,
  manifestWith,
  readParts as read,
  sha256
} from '../../helpers/crafted-backup.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-read-'))
after(() => rmSync(folder, { recursive: true }))

const rows = 'tables/public.categories/000001.jsonl'
const intact = (lines: string): CraftedEntry[] => [
  ['backup.json', headerWith()],
  [rows, lines],
  [
    'manifest.json',
    manifestWith({ 'public.categories': { rows: lines.split('\n').length - 1, sha256: sha256(lines) } })
  ]
]

test('a sound file yields its header, its rows written anew and its end', async () => {
  const parts = await read(craft(path.join(folder, 'sound'), intact('["a"]\n[ "b\\u00e9" ]\n[null]\n')))
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['header', 'rows', 'end']
  )
  assert.deepEqual(parts[1], { kind: 'rows', table: 'public.categories', count: 3, json: '[["a"],["bé"],[null]]' })
})

const withHeader = (header: string): CraftedEntry[] => [['backup.json', header]]
const withTables = (tables: unknown): CraftedEntry[] => withHeader(headerWith({ tables } as never))
const table = { name: 'public.categories', columns: [{ name: 'slug', type: 'text' }], key: ['slug'] }
const manifest: CraftedEntry = ['manifest.json', manifestWith({ 'public.categories': emptySum })]
const start: CraftedEntry = ['backup.json', headerWith()]
const media: CraftedEntry = ['media/a.txt', 'a']
const typed = (type: string) => craftedHeader(header => header.write(type, 156))

const crafted: Readonly<Record<string, [entries: CraftedEntry[], says: RegExp]>> = {
  'an extended header of a gigabyte': [[typed('x').fill('', 0, 0), Buffer.alloc(0)], /extended header/],
  'an extended header that is long': [
    [craftedHeader(header => header.write('x', 156), 'x', 2 ** 30)],
    /extended header of the archive has 1073741824 bytes/
  ],
  'a record that is no path': [
    [
      craftedHeader(header => header.write('x', 156), 'x', 12),
      Buffer.concat([Buffer.from('12 size=99\n\n'), Buffer.alloc(500)])
    ],
    /extended header of the archive is damaged/
  ],
  'a long name of GNU tar': [[start, typed('L')], /no file \(type "L"\)/],
  'a symbolic link': [[start, typed('2')], /no file \(type "2"\)/],
  'a hard link': [[start, typed('1')], /no file \(type "1"\)/],
  'a device': [[start, typed('3')], /no file \(type "3"\)/],
  'a named pipe': [[start, typed('6')], /no file \(type "6"\)/],
  'a sparse file': [[start, typed('S')], /no file \(type "S"\)/],
  'a folder': [[start, typed('5')], /no file \(type "5"\)/],
  'a size that is no number': [
    [craftedHeader(header => header.write('99e9', 124))],
    /header of the archive is damaged/
  ],
  'a size beyond all numbers': [[craftedHeader(header => header.fill(0xff, 124, 136))], /damaged: a (header|name) /],
  'a name that is not UTF-8': [[craftedHeader(header => header.fill(0xff, 0, 4))], /not UTF-8/],
  'a path that leads elsewhere': [[start, ['media/../../x', 'a']], /an entry named "media\/\.\.\/\.\.\/x"/],
  'an absolute path': [[start, ['/etc/passwd', 'a']], /an entry named "\/etc\/passwd"/],
  'a path with a line break': [[start, [`media/a\nb`, 'a']], /an entry named "media\/a\\nb"/],
  'a path that is too long': [[start, [`media/${'a/'.repeat(600)}b`, 'a']], /an entry named/],
  'the same file twice': [[start, media, media], /the file "media\/a\.txt" twice/],
  'a piece twice': [[start, [rows, '["a"]\n'], [rows, '["a"]\n']], /not the piece that follows/],
  'a piece left out': [[start, [rows.replace('01', '02'), '["a"]\n']], /not the piece that follows/],
  'a second manifest': [[start, manifest, manifest], /"manifest.json" follows manifest.json/],
  'a second header': [[start, start], /an entry named "backup\.json"/],
  'rows before the header': [[[rows, '["a"]\n']], /begins with "tables/],
  'rows of a table that the header does not name': [
    [start, ['tables/public.posts/000001.jsonl', '["a"]\n']],
    /rows of public\.posts, which its header does not name/
  ],
  'nothing but line breaks': [[start, [rows, '\n'.repeat(1000)]], /a row is not a list of 1 texts/],
  'a row without an end': [[start, [rows, '["a"]']], /a row has no end/],
  'a row that is too long': [[start, [rows, `["${'a'.repeat(2 ** 20)}"]\n`]], /a row has more than 1 MB.*--max-row-mb/],
  'a line that never ends': [[start, [rows, Buffer.alloc(3 * 2 ** 20, 'a')]], /a row has more than 1 MB/],
  'a row with too many values': [[start, [rows, '["a","b"]\n']], /not a list of 1 texts/],
  'a row of something else': [[start, [rows, '[{"a":1}]\n']], /not a list of 1 texts/],
  'a row with a number beyond all numbers': [[start, [rows, '[1e400]\n']], /not a list of 1 texts/],
  'a deep row': [[start, [rows, `${'['.repeat(100_000)}\n`]], /not a list of 1 texts/],
  'a row with the character 0': [[start, [rows, '["\\u0000"]\n']], /not a list of 1 texts/],
  'a row with half a pair': [[start, [rows, '["\\ud800"]\n']], /not a list of 1 texts/],
  'a row that is not UTF-8': [
    [start, [rows, Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d, 0x0a])]],
    /not a list of 1 texts/
  ],
  'a header that is no JSON': [withHeader('{"format":'), /backup\.json is no JSON/],
  'a header that is null': [withHeader('null'), /backup\.json is not as galley writes it/],
  'a header of many megabytes': [withHeader(' '.repeat(5 * 2 ** 20)), /backup\.json has 5242880 bytes/],
  'a format that is no number': [withHeader(headerWith().replace('"format":1', '"format":1e400')), /at "\/format"/],
  'a deep header': [withHeader('['.repeat(1_000_000)), /backup\.json is no JSON/],
  'a million tables': [withTables(Array.from({ length: 100_000 }, (_, at) => `t${at}`)), /backup\.json is not as/],
  'a table twice': [withTables([table, table]), /names public\.categories twice/],
  'a column twice': [withTables([{ ...table, columns: [...table.columns, ...table.columns] }]), /names slug twice/],
  'a table of the server': [withTables([{ ...table, name: 'pg_catalog.pg_authid' }]), /at "\/tables\/0\/name"/],
  'a table with a quote': [withTables([{ ...table, name: 'public.a"; drop' }]), /at "\/tables\/0\/name"/],
  'a table without columns': [withTables([{ ...table, columns: [] }]), /at "\/tables\/0\/columns"/],
  'a version that steers the terminal': [withHeader(headerWith({ galley: '\u001b[2J' })), /at "\/galley"/],
  'a key id that is something else': [withHeader(headerWith({ key_id: 'x\ny' })), /at "\/key_id"/],
  'a sequence beyond all numbers': [
    withHeader(headerWith({ sequences: [{ name: 'public.a', last_value: '1e400', is_called: true }] })),
    /at "\/sequences\/0\/last_value"/
  ],
  'a count below zero': [
    [start, ['manifest.json', manifestWith({ 'public.categories': { rows: -1, sha256: sha256('') } })]],
    /manifest\.json is not as galley writes it/
  ],
  'a manifest without the table': [[start, ['manifest.json', manifestWith({})]], /does not name the table public\.cat/],
  'fewer rows than promised': [
    [start, ['manifest.json', manifestWith({ 'public.categories': { rows: 3, sha256: sha256('') } })]],
    /has 0 rows in the file, and the manifest says 3/
  ],
  'nothing behind the header': [[start], /its manifest, which comes last, is missing/]
}

for (const [what, [entries, says]] of Object.entries(crafted)) {
  test(`${what} is damage`, async () => {
    const file = craft(path.join(folder, 'crafted'), entries)
    await assert.rejects(read(file), error => {
      const { message, code } = error as Error & { code: string }
      assert.equal(code, 'CONFLICT')
      assert.match(message, says)
      assert.ok(message.length < 1000, message)
      return true
    })
  })
}

test('an archive that goes on behind its end is damage', async () => {
  for (const end of [Buffer.alloc(200_000), Buffer.concat([Buffer.alloc(1024), Buffer.from('x')])])
    await assert.rejects(read(craft(path.join(folder, 'end'), intact(''), end)), /goes on behind its end/)
})

test('what unpacks to more than it may is read no further', async () => {
  const file = craft(path.join(folder, 'bomb'), intact(`["${'a'.repeat(1000)}"]\n`.repeat(10_000)))
  await assert.rejects(read(file, 1024 ** 2), /unpacks to more than 0 GB.*--max-unpacked-gb/)
  assert.equal((await read(file, 100 * 1024 ** 2)).at(-1)?.kind, 'end')
})

test('a pipe, a device and a folder are not read', async () => {
  const pipe = path.join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const file of [pipe, '/dev/zero']) await assert.rejects(read(file), /is a pipe or a device/)
  await assert.rejects(read(folder), /is a folder/)
  await assert.rejects(read(path.join(folder, 'none')), /There is no file/)
})
