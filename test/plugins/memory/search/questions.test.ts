import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MemoryQuery } from '#plugins/memory'
import { type MemoryUnderTest, startMemory } from '../service.ts'

const notes: Record<string, string> = {
  rollbacks: `# Rollbacks

When a deploy goes wrong we first stop the rollout in the pipeline. Then we redeploy the previous image tag with the deploy
script and check the error rate in the dashboard. Database migrations are never rolled back: every migration must work with
the previous version of the code as well. The person on call writes down what happened in the incident channel, and the fix
goes through the normal review before the release is tried once more.`,
  backups: `# Backups

The database is dumped every night at two and copied to the second site. Once a month somebody restores the newest dump on
the staging machine and signs the list. Keys are not part of the dump; they are kept in the vault.`,
  'first-day': `Welcome! On your first day you get a laptop, an account and a badge. Ask Maria for the badge. Your mentor shows
you the code, the wiki and where the coffee is.`,
  bread: `Sourdough needs time. Feed the starter twice the day before, mix flour, water and salt, let the dough rest for an
hour, fold it four times and leave it in the fridge overnight. Bake it in a hot pot for forty minutes.`,
  invoices: `Invoices go out on the first working day of the month. The template is in the finance folder. A customer who has
not paid after thirty days gets a reminder, after sixty days a phone call. Refunds need the approval of two people.`,
  tides: `Tides follow the moon. The water rises twice a day because the moon pulls more on the near side of the earth than
on the far side. Spring tides come with the new and the full moon, when the sun pulls in the same direction.`
}

let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
  for (const [source_id, text] of Object.entries(notes))
    await service.memory.store({ source_table: 'memory', source_id, writer: 'operator', text })
})
after(() => service.close())

/** What a search finds. */
const found = async (query: MemoryQuery) => (await service.memory.search(query)).items
const idsFor = async (q: string) => (await found({ q })).map(match => match.source_id)

describe('with every default, a short question', () => {
  const questions: [string, string][] = [
    ['how do we handle rollbacks', 'rollbacks'],
    ['rolling back a deploy', 'rollbacks'],
    ['what happens when a deploy goes wrong?', 'rollbacks'],
    ['where are the backups kept', 'backups'],
    ['restore the database', 'backups'],
    ['who gives me my badge?', 'first-day'],
    ['how long does the dough rest', 'bread'],
    ['baking sourdough', 'bread'],
    ['when do invoices go out', 'invoices'],
    ['customer refunds', 'invoices'],
    ['what do the tides follow?', 'tides'],
    ['spring tide', 'tides']
  ]
  for (const [question, expected] of questions) {
    test(`"${question}" finds ${expected} first`, async () => assert.equal((await idsFor(question))[0], expected))
  }

  for (const question of [
    'What is the capital of France?',
    'quarterly revenue forecast',
    'zebra crossings in Peru',
    'guitar chords',
    'the of and'
  ]) {
    test(`"${question}" finds nothing`, async () => assert.deepEqual(await idsFor(question), []))
  }
})

test('similarity is the cosine of what embed gives', async () => {
  const [match] = await found({ q: 'spring tide' })
  const { embeddings } = await service.memory.embed(['spring tide', match?.text ?? ''])
  const cosine = (embeddings[0] ?? []).reduce((sum, value, at) => sum + value * (embeddings[1]?.[at] ?? 0), 0)
  assert.ok(Math.abs(cosine - (match?.similarity ?? 0)) < 1e-5, `${cosine} and ${match?.similarity}`)
})
