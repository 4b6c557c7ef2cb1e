import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createRarity } from '../../../../plugins/memory/search/rarity.ts'
import { type MemoryUnderTest, startMemory } from '../service.ts'

let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
})
after(() => service.close())

const store = (source_id: string, text: string) =>
  service.memory.store({ source_table: 'memory', source_id, writer: 'operator', text })

describe('how rare a word is', () => {
  test('is not judged by a few passages', async () => {
    await store('one', 'Turbines turn.')
    const rarity = createRarity(() => new Date())
    await rarity.read(service.db)
    assert.equal(rarity.of('turbin'), 1)
    assert.deepEqual(rarity.rareWords('zebra'), [])
  })

  test('depends on the passages it is found in, and is read again after ten minutes', async () => {
    let time = 0
    const rarity = createRarity(() => new Date(time))
    await rarity.read(service.db)
    for (let at = 0; at < 120; at++)
      await store(`n${at}`, `Turbine ${at} was serviced${at % 40 === 0 ? ' for corrosion' : ''}.`)
    await rarity.read(service.db)
    assert.equal(rarity.of('turbin'), 1)
    time = 10 * 60_000 + 1
    await rarity.read(service.db)
    assert.ok(rarity.of('turbin') < 0.05)
    assert.ok(rarity.of('corrosion') > 1)
    assert.ok(rarity.of('zebra') > rarity.of('corrosion'))
    assert.deepEqual(rarity.rareWords('Was the turbine near a zebra, a zebra?'), ['near', 'zebra'])
    assert.equal(rarity.rareWords('oak elm ash yew fir').length, 4)
  })

  test('is read once for searches that arrive together, and again after a failed read', async () => {
    const { db } = service
    let samples = 0
    let isDown = true
    const query: typeof db.query = async (text, params) => {
      if (isDown) throw new Error('The connection was lost.')
      if (text.includes('tablesample')) samples += 1
      return db.query(text, params)
    }
    const counted = { ...db, query, transaction: db.transaction }
    const rarity = createRarity(() => new Date())
    await assert.rejects(rarity.read(counted), /lost/)
    isDown = false
    await Promise.all([1, 2, 3].map(() => rarity.read(counted)))
    assert.equal(samples, 1)
  })

  test('decides which entry is nearest to a question', async () => {
    await store('other', 'Turbine parts and turbine oil for a turbine.')
    await store('wanted', 'A list of what was done this spring: paint, corrosion, bolts, ladders, doors, lamps, wires.')
    const [nearest] = (await service.memory.nearest('memory', 'turbine turbine corrosion bolts', 1)).items
    assert.equal(nearest?.source_id, 'wanted')
  })
})
