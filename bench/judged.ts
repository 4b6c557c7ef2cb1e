// Reads a judged collection from a folder, in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/*.tsv) or TREC's
// (files of <DOC>, a file of <top>, a file of judgements `query 0 document relevance`).
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export interface JudgedDocument {
  id: string
  title: string
  text: string
}

/** `judged` says by query and document how relevant it is; what is not in it is not relevant. */
export interface Judged {
  documents: JudgedDocument[]
  queries: Map<string, string>
  judged: Map<string, Map<string, number>>
}

/** `field` of TREC topics that is asked for: title or desc. `split` names the file of BEIR's judgements. */
export function readJudged(folder: string, { split = 'test', field = 'title' } = {}): Judged {
  const read = existsSync(path.join(folder, 'corpus.jsonl')) ? readBeir(folder, split) : readTrec(folder, field)
  const queries = new Map([...read.queries].filter(([id]) => read.judged.has(id)))
  if (read.documents.length === 0 || queries.size === 0) {
    throw new Error(
      `${folder} has ${read.documents.length} documents and ${queries.size} judged queries: nothing to measure.`
    )
  }
  return { ...read, queries }
}

function readBeir(folder: string, split: string): Judged {
  const lines = (file: string) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '')
  const documents = lines('corpus.jsonl').map(line => {
    const { _id, title = '', text = '' } = JSON.parse(line) as { _id: string; title?: string; text?: string }
    return { id: String(_id), title, text }
  })
  const queries = lines('queries.jsonl').map(line => {
    const { _id, text } = JSON.parse(line) as { _id: string; text: string }
    return [String(_id), text] as const
  })
  const files = readdirSync(path.join(folder, 'qrels')).filter(file => file.endsWith('.tsv'))
  const file = files.find(name => name === `${split}.tsv`) ?? files[0]
  const rows = lines(path.join('qrels', file ?? 'test.tsv')).map(line => line.split('\t'))
  return {
    documents,
    queries: new Map(queries),
    judged: toJudged(rows.map(([query, id, score]) => [query, id, score]))
  }
}

function readTrec(folder: string, field: string): Judged {
  const documents: JudgedDocument[] = []
  const queries = new Map<string, string>()
  const rows: (string | undefined)[][] = []
  for (const text of filesOf(folder).map(file => readFileSync(file, 'utf8'))) {
    if (/<top>/i.test(text)) for (const topic of text.split(/<top>/i).slice(1)) addTopic(queries, topic, field)
    else if (/<doc>/i.test(text)) documents.push(...text.split(/<doc>/i).slice(1).map(toDocument))
    else for (const line of text.split('\n')) rows.push(judgement(line))
  }
  return { documents, queries, judged: toJudged(rows) }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => path.join(folder, name))
    .filter(file => statSync(file).isFile())
    .sort()

function judgement(line: string): (string | undefined)[] {
  const [query, , id, score, more] = line.trim().split(/\s+/)
  return more === undefined && score !== undefined && /^-?\d+$/.test(score) ? [query, id, score] : []
}

const tagged = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)(?=</${tag}>|$)`, 'gis'))].map(match => match[1] ?? '').join('\n')
const bare = (text: string) => text.replace(/<[^>]*>/g, ' ').trim()

function toDocument(text: string): JudgedDocument {
  const title =
    ['title', 'headline', 'hl', 'ttl', 'head'].map(tag => bare(tagged(text, tag))).find(each => each !== '') ?? ''
  const body = bare(tagged(text, 'text'))
  return { id: bare(tagged(text, 'docno')), title: title.replace(/\s+/g, ' '), text: body === '' ? title : body }
}

/** TREC's topics do not close their tags. */
function addTopic(queries: Map<string, string>, topic: string, field: string): void {
  const part = (tag: string) =>
    (new RegExp(`<${tag}>([^<]*)`, 'i').exec(topic)?.[1] ?? '').replace(/^\s*(number|topic|description):/i, '').trim()
  const id = part('num').replace(/^0+(?=\d)/, '')
  if (id !== '') queries.set(id, (part(field) || part('title') || part('desc')).replace(/\s+/g, ' '))
}

function toJudged(rows: readonly (string | undefined)[][]): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>()
  for (const [query, id, text] of rows) {
    const score = Number(text)
    if (query === undefined || id === undefined || !(score > 0)) continue
    judged.set(query, (judged.get(query) ?? new Map()).set(id, score))
  }
  return judged
}

export interface Quality {
  'nDCG@10': number
  'recall@10': number
  MRR: number
}

/** Quality of one ranking: gains are the judgements, discounted by log2 of the place, as trec_eval does. */
export function qualityOf(ranking: readonly string[], judged: ReadonlyMap<string, number>): Quality {
  const discounted = (gains: readonly number[]) =>
    gains.slice(0, 10).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
  const gains = ranking.map(id => judged.get(id) ?? 0)
  const ideal = [...judged.values()].sort((a, b) => b - a)
  const first = gains.findIndex(gain => gain > 0)
  return {
    'nDCG@10': discounted(gains) / discounted(ideal),
    'recall@10': gains.slice(0, 10).filter(gain => gain > 0).length / judged.size,
    MRR: first === -1 ? 0 : 1 / (first + 1)
  }
}

export function meanQuality(all: readonly Quality[]): Quality {
  const mean = (key: keyof Quality) => all.reduce((sum, each) => sum + each[key], 0) / all.length
  return { 'nDCG@10': mean('nDCG@10'), 'recall@10': mean('recall@10'), MRR: mean('MRR') }
}
