import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { TextsRefusedError } from '#plugins/memory'
import { createAxisEmbedder, type MemoryUnderTest, startMemory } from './service.ts'

const picky = createAxisEmbedder('picky-v1', () => 1)
let refuses = (text: string) => text.includes('note of poison')
const { embed } = picky
picky.embed = async (texts, signal) => {
  if (texts.some(refuses)) throw new TextsRefusedError('The endpoint answered 400.')
  return embed.call(picky, texts, signal)
}

let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
  service.memory.registerEmbedder('picky', picky)
  service.set({ embedder: 'picky' })
})
beforeEach(async () => {
  refuses = text => text.includes('note of poison')
  await service.db.query('delete from memory_entries')
  const notes = Array.from({ length: 12 }, (_, at) => (at === 7 ? 'A note of poison.' : `Note number ${at}.`))
  await service.memory.storeMany(
    notes.map((text, at) => ({ source_table: 'memory', source_id: `n${at}`, writer: 'operator', text }))
  )
})
after(() => service.close())

const counts = async () => {
  const { total, pending, refused } = await service.memory.stats()
  return { total, pending, refused }
}
const check = async () => service.contribution.checks?.[0]?.run({ signal: new AbortController().signal } as never)

test('a text the embedder refuses does not keep the others from their vectors, and is told', async () => {
  await service.runJob()
  assert.deepEqual(await counts(), { total: 11, pending: 0, refused: 1 })
  const { refusals, serving_model } = await service.memory.stats()
  const refusal = { source_table: 'memory', source_id: 'n7', chunk: 0, reason: 'The endpoint answered 400.' }
  assert.deepEqual([refusals, serving_model], [[refusal], 'picky-v1'])
  assert.match((await check())?.found ?? '', /memory\/n7 #0 for one: The endpoint answered 400/)
  const { items, degraded } = await service.memory.search({ q: 'poison', limit: 100, min_similarity: 0 })
  assert.deepEqual([items.some(({ source_id }) => source_id === 'n7'), degraded], [true, false])
  picky.calls.length = 0
  await service.runJob()
  assert.deepEqual(picky.calls, [])
})

test('storing a text the embedder refuses leaves questions their meaning', async () => {
  await service.memory.store({
    source_table: 'memory',
    source_id: 'p',
    writer: 'operator',
    text: 'Another note of poison.'
  })
  assert.equal((await service.memory.search({ q: 'note' })).degraded, false)
})

test('a text that was refused is tried again once it changes, and after a day', async () => {
  await service.runJob()
  await service.memory.store({ source_table: 'memory', source_id: 'n7', writer: 'operator', text: 'A note of honey.' })
  assert.deepEqual(await counts(), { total: 12, pending: 0, refused: 0 })
  refuses = text => text.includes('honey')
  await service.db.query('delete from memory_embeddings')
  await service.runJob()
  assert.deepEqual(await counts(), { total: 11, pending: 0, refused: 1 })
  refuses = () => false
  await service.db.query("update memory_refusals set refused_at = now() - interval '25 hours'")
  await service.runJob()
  assert.deepEqual(await counts(), { total: 12, pending: 0, refused: 0 })
  assert.equal((await check())?.status, 'ok')
})

test('an embedder that refuses whatever it is asked is away: no text is taken for wrong', async () => {
  refuses = () => true
  await assert.rejects(service.runJob(), TextsRefusedError)
  assert.deepEqual(await counts(), { total: 0, pending: 12, refused: 0 })
})
