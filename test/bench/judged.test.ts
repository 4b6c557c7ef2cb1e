import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { meanQuality, qualityOf, readJudged } from '../../bench/judged.ts'
import { readOptions } from '../../bench/quality-options.ts'
import { findByBm25 } from '../../bench/quality-rankings.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-judged-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

test('a collection in the layout of BEIR is read; queries without judgements are left out', () => {
  const { documents, queries, judged } = readJudged(
    folderWith({
      'corpus.jsonl': '{"_id": "d1", "title": "Wings", "text": "Lift."}\n{"_id": "d2", "text": "Drag."}\n',
      'queries.jsonl': '{"_id": "q1", "text": "what lifts"}\n{"_id": "q2", "text": "unjudged"}\n',
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n'
    })
  )
  assert.deepEqual(documents, [
    { id: 'd1', title: 'Wings', text: 'Lift.' },
    { id: 'd2', title: '', text: 'Drag.' }
  ])
  assert.deepEqual([...queries], [['q1', 'what lifts']])
  assert.deepEqual([...(judged.get('q1') ?? [])], [['d1', 2]])
})

test('a collection in the layout of TREC is read, whichever files it is in', () => {
  const { documents, queries, judged } = readJudged(
    folderWith({
      'docs/part1.xml':
        '<DOC>\n<DOCNO> FT-1 </DOCNO>\n<HEADLINE>On\nwings</HEADLINE>\n<TEXT>Lift <b>and</b> drag.</TEXT>\n</DOC>\n<DOC><DOCNO>FT-2</DOCNO><TEXT>Other.</TEXT></DOC>',
      'topics.txt':
        '<top>\n<num> Number: 051\n<title> lift of wings\n<desc> Description:\nWhat lifts a wing?\n</top>\n',
      'qrels.txt': '51 0 FT-1 1\n51 0 FT-2 0\n'
    })
  )
  assert.deepEqual(
    documents.map(({ id, title }) => [id, title]),
    [
      ['FT-1', 'On wings'],
      ['FT-2', '']
    ]
  )
  assert.match(documents[0]?.text ?? '', /^Lift\s+and\s+drag\.$/)
  assert.deepEqual([...queries], [['51', 'lift of wings']])
  assert.deepEqual([...(judged.get('51') ?? [])], [['FT-1', 1]])
})

test('topics that a dump numbers with gaps are paired by position with judgements that count them', () => {
  const topics = (ids: readonly number[]) =>
    ids.map(id => `<top>\n<num> ${id}</num>\n<title>topic ${id}</title>\n</top>\n`).join('')
  const readWith = (qrels: string) =>
    readJudged(
      folderWith({
        'docs.xml': '<doc><docno>1</docno><text>Lift.</text></doc>',
        'topics.xml': topics([1, 2, 4]),
        'qrels.txt': qrels
      })
    )
  assert.deepEqual(
    [...readWith('2 0 1 1\n3 0 1 1\n').queries],
    [
      ['2', 'topic 2'],
      ['3', 'topic 4']
    ]
  )
  // Every judgement names a topic: they are what they say.
  assert.deepEqual([...readWith('2 0 1 1\n4 0 1 1\n').queries].at(-1), ['4', 'topic 4'])
  // A fifth topic there is not: no positions.
  assert.deepEqual([...readWith('2 0 1 1\n5 0 1 1\n').queries], [['2', 'topic 2']])
})

test('plain BM25 finds the documents that have any of the words, rare words first, whatever signs a query has', async () => {
  const texts = ['Wings lift', 'lifting drag', 'drag and wings', 'wings', ...Array<string>(8).fill('keel')]
  const find = findByBm25(texts.map((text, at) => ({ id: `d${at}`, title: '', text })))
  const found = await find('lifts "wings" NEAR -(*')
  assert.equal(found[0], 'd0')
  assert.deepEqual(found.toSorted(), ['d0', 'd1', 'd2', 'd3'])
  assert.deepEqual(await find('?!'), [])
})

const beir = (splits: readonly string[]) =>
  folderWith({
    'corpus.jsonl': '{"_id": "d1", "text": "Lift."}\n',
    'queries.jsonl': '{"_id": "q1", "text": "what lifts"}\n',
    ...Object.fromEntries(splits.map(split => [`qrels/${split}.tsv`, 'q1\td1\t2\n']))
  })

test('a split that is not there is refused, naming those that are; the only one need not be named', () => {
  const folder = beir(['dev', 'train'])
  assert.throws(
    () => readJudged(folder, { split: 'nosuch' }),
    /--split nosuch is none of the splits in .*: dev, train\./
  )
  assert.throws(() => readJudged(folder), /--split test is none of the splits/)
  assert.equal(readJudged(folder, { split: 'dev' }).queries.size, 1)
  assert.equal(readJudged(beir(['dev'])).queries.size, 1)
  assert.throws(() => readJudged(beir([])), /has no judgements/)
  assert.throws(() => readJudged(beir(['test']), { field: 'title' }), /--field is for topics of TREC/)
})

test('a field that no topic has is refused, naming those there are', () => {
  const folder = folderWith({
    'docs.xml': '<DOC><DOCNO>FT-1</DOCNO><TEXT>Lift.</TEXT></DOC>',
    'topics.txt': '<top>\n<num> Number: 1\n<title> lift\n<desc> Description:\nWhat lifts?\n</top>\n',
    'qrels.txt': '1 0 FT-1 1\n'
  })
  assert.throws(() => readJudged(folder, { field: 'bogus' }), /--field bogus is none .*: desc, title\./)
  assert.deepEqual([...readJudged(folder, { field: 'desc' }).queries], [['1', 'What lifts?']])
  assert.throws(() => readJudged(folder, { split: 'test' }), /--split is for BEIR/)
})

test('a line that is not JSON is named', () => {
  const folder = beir(['test'])
  writeFileSync(path.join(folder, 'corpus.jsonl'), '{"_id": "d1"}\n{"_id"')
  assert.throws(() => readJudged(folder), /corpus\.jsonl, line 2: is not JSON/)
})

test('the value of a setting may contain =', () => {
  const { settings, folders: given } = readOptions([
    'folder',
    'other',
    '--set',
    'embedder_base_url=http://127.0.0.1/?a=b',
    '--set',
    'a='
  ])
  assert.deepEqual(given, ['folder', 'other'])
  assert.deepEqual(settings, [
    ['embedder_base_url', 'http://127.0.0.1/?a=b'],
    ['a', '']
  ])
  assert.throws(() => readOptions(['folder', '--set', 'embedder']), /--set embedder is not key=value/)
})

test('a bad command line of search-quality.ts ends in one line', () => {
  const script = new URL('../../bench/search-quality.ts', import.meta.url).pathname
  for (const args of [[], ['/nowhere/at/all'], ['--bogus'], [beir(['dev', 'train'])], ['a', '--server', 'x']]) {
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
    assert.deepEqual([status, stderr.trim().split('\n').length], [2, 1], stderr)
  }
})

test('a folder without a collection is refused', () => {
  assert.throws(() => readJudged(folderWith({ 'notes.txt': 'nothing' })), /0 documents and 0 judged queries/)
})

test('quality counts gains by place, relevant ones among ten, and the first of them', () => {
  const judged = new Map([
    ['a', 1],
    ['b', 1]
  ])
  assert.deepEqual(qualityOf(['a', 'b', 'c'], judged), { 'nDCG@10': 1, 'recall@10': 1, MRR: 1 })
  const half = qualityOf(['x', 'a', ...Array.from({ length: 9 }, (_, at) => `y${at}`), 'b'], judged)
  assert.equal(half['nDCG@10'].toFixed(4), (1 / Math.log2(3) / (1 + 1 / Math.log2(3))).toFixed(4))
  assert.deepEqual([half['recall@10'], half.MRR], [0.5, 0.5])
  assert.deepEqual(meanQuality([half, qualityOf([], judged)]).MRR, 0.25)
})
