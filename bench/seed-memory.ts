// Fills the memory with generated passages of 120 words on 500 topics, each with its vector by the embedded embedder.
import { randomUUID } from 'node:crypto'
import type { Db } from '../core/contract/database.ts'
import { createEmbeddedEmbedder } from '../plugins/memory/embedders/embedded.ts'

const topics = 500
const topicWords = 60
const passageWords = 120
const batch = 500
/** Of a vector of 768 numbers and its neighbours in the index. */
const bytesOfNode = 5000

/** Writers by the share of passages they stored. */
export const writers = { half: 0.5, fifth: 0.2, tenth: 0.1, hundredth: 0.01, thousandth: 0.001, rest: 0.189 }

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan bel cor dun fer gal'.split(' ')

/** A word for a number; different numbers give different words. */
function wordOf(n: number): string {
  let word = ''
  for (let rest = n + 677; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

/** Numbers from 0 to 1, the same ones each time. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** A topic's own word, its first ones more often; or any word, frequent ones more often. */
const topicWord = (topic: number, next: () => number) =>
  wordOf(20_000 + topic * topicWords + Math.floor(next() ** 2 * topicWords))
const anyWord = (next: () => number) => wordOf(Math.floor(next() ** 4 * 20_000))

function passageOf(topic: number, next: () => number): string {
  const words: string[] = []
  while (words.length < passageWords) words.push(next() < 0.4 ? topicWord(topic, next) : anyWord(next))
  return words.join(' ')
}

/** A question of six words on one topic. */
export function questionOf(n: number): string {
  const next = numbers(7919 * (n + 1))
  const topic = Math.floor(next() * topics)
  return Array.from({ length: 6 }, () => topicWord(topic, next)).join(' ')
}

interface Seeded {
  insertMs: number
  indexMs: number
}

/** Inserts entries of one passage each and then builds the vectors' index. */
export async function seedMemory(db: Db, count: number): Promise<Seeded> {
  const embedder = createEmbeddedEmbedder()
  const { signal } = new AbortController()
  const index = await dropIndex(db)
  const next = numbers(1)
  const seeded = { insertMs: 0, indexMs: 0 }
  const insert = async (texts: string[], vectors: number[][]) => {
    const begun = performance.now()
    await insertPassages(db, embedder.model, texts, vectors, next)
    seeded.insertMs += performance.now() - begun
  }
  let inserted: Promise<void> = Promise.resolve()
  for (let first = 0; first < count; first += batch) {
    const texts = Array.from({ length: Math.min(batch, count - first) }, () =>
      passageOf(Math.floor(next() * topics), next)
    )
    const vectors = await embedder.embed(texts, signal)
    await inserted
    inserted = insert(texts, vectors)
    // Until it is waited for, behind the next vectors.
    inserted.catch(() => undefined)
  }
  await inserted
  const begun = performance.now()
  await buildIndex(db, index, count)
  seeded.indexMs = performance.now() - begun
  await db.query(
    "insert into memory_models (model, embedder, is_serving) values ($1, 'embedded', true) on conflict do nothing",
    [embedder.model]
  )
  return seeded
}

/** Drops the vectors' index, which is built many times as fast as it grows. Answers its definition. */
export async function dropIndex(db: Db): Promise<string> {
  const [index] = await db.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexname = 'memory_embeddings_hnsw'"
  )
  await db.script('drop index memory_embeddings_hnsw')
  return index?.indexdef ?? ''
}

export async function buildIndex(db: Db, definition: string, count: number): Promise<void> {
  // A graph that does not fit is built on disk, many times as slowly.
  const megabytes = Math.max(512, Math.ceil((count * bytesOfNode) / 2 ** 20))
  await db.script(
    `set maintenance_work_mem = '${megabytes}MB'; set statement_timeout = 0; ${definition};
     reset maintenance_work_mem; reset statement_timeout; analyze`
  )
}

function writerOf(share: number): string {
  let sum = 0
  for (const [writer, part] of Object.entries(writers)) {
    sum += part
    if (share < sum) return writer
  }
  return 'rest'
}

async function insertPassages(
  db: Db,
  model: string,
  texts: readonly string[],
  vectors: readonly number[][],
  next: () => number
): Promise<void> {
  const ids = texts.map(() => randomUUID())
  const labels = texts.map(() => ({
    writer: writerOf(next()),
    tag: `tag-${Math.floor(next() * 50)}`,
    isIssue: next() < 0.3
  }))
  await db.query(
    `with entries as (
       insert into memory_entries (entry_id, source_table, source_id, writer, text, content_hash, tags)
       select id, source_table, id::text, writer, text, id::text, array[tag]
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as t (id, source_table, writer, text, tag)
     ), chunks as (
       insert into memory_chunks (entry_id, chunk, text) select id, 0, text from unnest($1::uuid[], $4::text[]) as t (id, text)
     )
     insert into memory_embeddings (entry_id, chunk, model, embedding)
     select id, 0, $6, embedding::vector from unnest($1::uuid[], $7::text[]) as t (id, embedding)`,
    [
      ids,
      labels.map(({ isIssue }) => (isIssue ? 'issues' : 'memory')),
      labels.map(({ writer }) => writer),
      texts,
      labels.map(({ tag }) => tag),
      model,
      vectors.map(vector => `[${vector.join(',')}]`)
    ]
  )
}
