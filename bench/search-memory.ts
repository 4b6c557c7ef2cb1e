// Search in the memory: recall@10 and milliseconds with filters, against comparing every vector, and embedding.
//   node bench/search-memory.ts [--server postgres://…] [--rows 10000] [--questions 50]
// 10,000 rows take a minute, 100,000 three (a quarter of an hour on the embedded database, which takes no more), 1,000,000
// three quarters of an hour and 12 GB.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Db } from '../core/contract/database.ts'
import { createEmbeddedEmbedder, embeddedModel } from '../plugins/memory/embedders/embedded.ts'
import { passagesOf } from '../plugins/memory/passages.ts'
import { type Filters, searchExactly } from '../plugins/memory/repository/vector-search.ts'
import { findNearest, withIndexes } from '../plugins/memory/search/nearest.ts'
import { createRarity } from '../plugins/memory/search/rarity.ts'
import { makeGalley } from './galley.ts'
import type { Answered, Asking } from './search-memory-child.ts'
import { questionOf, seedMemory } from './seed-memory.ts'
import { measured, quantile } from './target.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    rows: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '50' }
  }
})
const rows = Number(values.rows)
/** Every question is asked so many times, so that p99 is not the slowest of a few. */
const rounds = 4
const questions = Array.from({ length: Number(values.questions) }, (_, n) => questionOf(n))
const asked: Record<string, Filters> = {
  'no filter': {},
  'writer of half': { writer: 'half' },
  'writer of a tenth': { writer: 'tenth' },
  'that writer and issues, 3 %': { writer: 'tenth', source_table: 'issues' },
  'a tag, 2 %': { tags: ['tag-7'] },
  'writer of a hundredth': { writer: 'hundredth' },
  'writer of a thousandth': { writer: 'thousandth' }
}

const galley = await makeGalley(values.server)
try {
  const seeded = await galley.database(db => seedMemory(db, rows))
  console.log(
    `${rows} passages: ${JSON.stringify(seeded, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}`
  )
  console.table([measured('passages embedded a second of CPU time', await embedSamples(), '', '≥', 2000)])
  await galley.database(compare)
  await askServer()
} finally {
  await galley.remove()
}

/** The sample texts' passages, 5,000 in all. */
async function embedSamples(): Promise<number> {
  const samples = new URL('../cli/samples/', import.meta.url)
  const passages = readdirSync(samples).flatMap(file => passagesOf(readFileSync(new URL(file, samples), 'utf8')))
  const texts = Array.from({ length: 5000 }, (_, n) => `${passages[n % passages.length]} ${n}`)
  const embedder = createEmbeddedEmbedder()
  const before = process.cpuUsage()
  await embedder.embed(texts, new AbortController().signal)
  const { user, system } = process.cpuUsage(before)
  return (texts.length / (user + system)) * 1e6
}

/** In the database alone: the ten that are found, against the ten nearest of all. */
async function compare(db: Db): Promise<void> {
  const embeddings = await createEmbeddedEmbedder().embed(questions, new AbortController().signal)
  const rarity = createRarity(() => new Date())
  await rarity.read(db)
  // As the service searches, without the time for the question's vector.
  const find = async (db: Db, at: number, filters: Filters) => {
    const rareWords = rarity.rareWords(questions[at] ?? '')
    const query = { model: embeddedModel, embedding: embeddings[at] ?? [], limit: 10, min_similarity: 0, rareWords }
    return (await findNearest(db, { ...query, ...filters })).matches
  }
  const table: Record<string, object> = {}
  for (const [name, filters] of Object.entries(asked)) {
    const times: number[] = []
    let hits = 0
    let wanted = 0
    for (const [at, embedding] of embeddings.entries()) {
      const query = { model: embeddedModel, embedding, limit: 10, ...filters }
      const exact = await withIndexes(db, async tx => {
        // A million vectors are read from the disk.
        await tx.query('set local statement_timeout = 0')
        return await searchExactly(tx, query, Number.MAX_SAFE_INTEGER)
      })
      const nearest = new Set((exact?.matches ?? []).map(match => match.entry_id))
      const begun = performance.now()
      const found = await find(db, at, filters)
      times.push(performance.now() - begun)
      wanted += nearest.size
      hits += found.filter(match => nearest.has(match.entry_id)).length
    }
    for (let round = 1; round < rounds; round++) {
      for (const at of embeddings.keys()) {
        const begun = performance.now()
        await find(db, at, filters)
        times.push(performance.now() - begun)
      }
    }
    table[name] = { 'recall@10': (hits / wanted).toFixed(3), ...quantilesOf(times) }
  }
  console.log('targets: recall@10 ≥ 0.97, p99 ≤ 25 ms')
  console.table(table)
}

/** Through the service: the question is embedded, and what is near enough is counted as well. */
async function askServer(): Promise<void> {
  const token = (await galley.command('auth', 'mint-token')).trim()
  const serving = await galley.serve()
  const child = fork(new URL('search-memory-child.ts', import.meta.url))
  const asking: Asking = { url: serving.url, token, questions, filters: Object.values(asked), rounds }
  child.send(asking)
  const [answered] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Answered | number | null]
  await serving.stop()
  if (typeof answered !== 'object' || answered === null) throw new Error('The process that asks the server failed.')
  const table: Record<string, object> = { 'the first one of the process': quantilesOf([answered.first]) }
  Object.keys(asked).forEach((name, at) => {
    table[name] = quantilesOf(answered.times[at] ?? [])
  })
  console.log('GET /api/memory/search; target: p99 ≤ 25 ms')
  console.table(table)
}

function quantilesOf(times: readonly number[]): object {
  const shown = (share: number) => `${quantile(times, share).toFixed(1)} ms`
  return { min: shown(0), p50: shown(0.5), p99: shown(0.99) }
}
