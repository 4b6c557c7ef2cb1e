import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  const posts = {
    Kassen: 'Die Krankenversicherung zahlt. Nachts hilft sie Kranken nicht.',
    Verträge: 'Ein Versicherungsvertrag, und wie man einen Vertrag liest.',
    Türen: 'Der Haustürschlüssel passt in jede Haustür, und dieser Schlüssel auch.',
    Plätze: 'Die Arbeit und der Platz dafür.',
    Gewichte: 'Hundertacht Kilo bei Nacht, mit Macht.',
    Lamps: 'A light for every house.',
    Towers: 'A lighthouse is for ships.'
  }
  for (const [at, [title, body]] of Object.entries(posts).entries()) {
    const { post_id } = await makePublic(harness, { title, body })
    const language = title === 'Lamps' || title === 'Towers' ? 'en' : 'de'
    await harness.components.edits.edit(post_id, { language }, { actor: 'operator' })
    if (at === 2) await harness.index()
  }
  await harness.deliver()
})
after(() => harness.close())

const search = async (q: string) => {
  const response = await harness.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(q)}` })
  assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
  const { items, corrected } = response.json() as { items: { title: string; snippet: string }[]; corrected?: object[] }
  assert.equal(corrected, undefined, q)
  return items
}

const found: [q: string, titles: string[], why: string][] = [
  ['Versicherung', ['Kassen', 'Verträge'], 'a word that ends one compound and begins another'],
  ['Versicherungen', ['Kassen'], 'whatever its ending'],
  ['Schlüssel', ['Türen'], 'a word that stands by itself as well'],
  ['Arbeitsplatz', ['Plätze'], 'a compound that no post has stands for its parts'],
  ['acht', [], 'what is left of a compound is a word'],
  ['"Versicherung"', [], 'a phrase is meant as it stands'],
  ['Kranken -Versicherung', ['Kassen'], 'what is excluded is excluded as it stands']
]
for (const [q, titles, why] of found)
  test(`${q}: ${why}`, async () => assert.deepEqual((await search(q)).map(({ title }) => title).sort(), titles.sort()))

test('words of other languages are no compounds', async () => {
  assert.deepEqual(
    (await search('house')).map(({ title }) => title),
    ['Lamps']
  )
  assert.match(
    (await search('Versicherung'))[0]?.snippet ?? '',
    /<mark>(Krankenversicherung|Versicherungsvertrag)<\/mark>/
  )
})
