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

/** What was asked for makes no sense or is not there: whoever asked is told it in one line. */
export class UsageError extends Error {}

/** `field` of TREC topics that is asked for (title), `split` names the file of BEIR's judgements (test, or the only one). */
export interface JudgedOptions {
  split?: string | undefined
  field?: string | undefined
}

/** @throws UsageError when the folder, the split or the field is not there, or there is nothing to measure. */
export function readJudged(folder: string, { split, field }: JudgedOptions = {}): Judged {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${folder} is not a folder.`)
  const isBeir = existsSync(path.join(folder, 'corpus.jsonl'))
  if (isBeir && field !== undefined)
    throw new UsageError(`--field is for topics of TREC; ${folder} is laid out as BEIR.`)
  if (!isBeir && split !== undefined) throw new UsageError(`--split is for BEIR; ${folder} has no corpus.jsonl.`)
  const read = isBeir ? readBeir(folder, split) : readTrec(folder, field)
  const queries = new Map([...read.queries].filter(([id]) => read.judged.has(id)))
  if (read.documents.length === 0 || queries.size === 0) {
    throw new UsageError(
      `${folder} has ${read.documents.length} documents and ${queries.size} judged queries: nothing to measure.`
    )
  }
  return { ...read, queries }
}

function splitOf(folder: string, asked: string | undefined): string {
  const qrels = path.join(folder, 'qrels')
  const splits = (existsSync(qrels) ? readdirSync(qrels) : [])
    .filter(file => file.endsWith('.tsv'))
    .map(file => file.slice(0, -'.tsv'.length))
    .sort()
  if (splits.length === 0) throw new UsageError(`${qrels} has no judgements (*.tsv).`)
  const split = asked ?? (splits.length === 1 ? splits[0] : 'test')
  if (split !== undefined && splits.includes(split)) return split
  throw new UsageError(`--split ${split} is none of the splits in ${qrels}: ${splits.join(', ')}.`)
}

function readBeir(folder: string, asked: string | undefined): Judged {
  const split = splitOf(folder, asked)
  if (!existsSync(path.join(folder, 'queries.jsonl'))) throw new UsageError(`${folder} has no queries.jsonl.`)
  const lines = (file: string) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '')
  const objects = <T>(file: string) => lines(file).map((line, at) => parse<T>(line, `${file}, line ${at + 1}`))
  const documents = objects<{ _id: string; title?: string; text?: string }>('corpus.jsonl').map(
    ({ _id, title = '', text = '' }) => ({ id: String(_id), title, text })
  )
  const queries = objects<{ _id: string; text: string }>('queries.jsonl').map(
    ({ _id, text }) => [String(_id), text] as const
  )
  const rows = lines(path.join('qrels', `${split}.tsv`)).map(line => line.split('\t'))
  return {
    documents,
    queries: new Map(queries),
    judged: toJudged(rows.map(([query, id, score]) => [query, id, score]))
  }
}

function parse<T>(line: string, place: string): T {
  try {
    return JSON.parse(line) as T
  } catch {
    throw new UsageError(`${place}: is not JSON.`)
  }
}

function readTrec(folder: string, field: string | undefined): Judged {
  const fields = new Set<string>()
  const documents: JudgedDocument[] = []
  const queries = new Map<string, string>()
  const rows: (string | undefined)[][] = []
  for (const text of filesOf(folder).map(file => readFileSync(file, 'utf8'))) {
    if (/<top>/i.test(text)) {
      for (const topic of text.split(/<top>/i).slice(1)) {
        for (const tag of fieldsOf(topic)) fields.add(tag)
        addTopic(queries, topic, field ?? 'title')
      }
    } else if (/<doc>/i.test(text)) documents.push(...text.split(/<doc>/i).slice(1).map(toDocument))
    else for (const line of text.split('\n')) rows.push(judgement(line))
  }
  if (field !== undefined && fields.size > 0 && !fields.has(field.toLowerCase()))
    throw new UsageError(`--field ${field} is none of the fields of the topics: ${[...fields].sort().join(', ')}.`)
  const judged = toJudged(rows)
  return { documents, queries: byPosition(queries, judged) ?? queries, judged }
}

/**
 * Some dumps number their topics with gaps, and judge the first as 1, the second as 2. Undefined where every judgement names
 * a topic, or one is no position.
 */
function byPosition(
  queries: ReadonlyMap<string, string>,
  judged: ReadonlyMap<string, unknown>
): Map<string, string> | undefined {
  const positions = new Map([...queries.values()].map((text, at) => [String(at + 1), text]))
  const ids = [...judged.keys()]
  return ids.every(id => queries.has(id)) || !ids.every(id => positions.has(id)) ? undefined : positions
}

const fieldsOf = (topic: string): string[] =>
  [...topic.matchAll(/<(\w+)>/g)].map(([, tag = '']) => tag.toLowerCase()).filter(tag => tag !== 'num')

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
const withoutTags = (text: string) => text.replace(/<[^>]*>/g, ' ').trim()

function toDocument(text: string): JudgedDocument {
  const title =
    ['title', 'headline', 'hl', 'ttl', 'head'].map(tag => withoutTags(tagged(text, tag))).find(each => each !== '') ??
    ''
  const body = withoutTags(tagged(text, 'text'))
  return { id: withoutTags(tagged(text, 'docno')), title: title.replace(/\s+/g, ' '), text: body === '' ? title : body }
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
