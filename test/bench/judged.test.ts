import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { meanQuality, qualityOf, readJudged } from '../../bench/judged.ts'

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
