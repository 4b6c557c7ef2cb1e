import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { touchEverything } from '../../../../core/changes.ts'
import { addWords } from '../../../../plugins/search/repository/vocabulary.ts'
import { until } from '../../../helpers/until.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
let ids: string[]
before(async () => {
  harness = await openPosts({ withMemory: false })
  const { post_id } = await makePublic(harness, { title: 'Tide', body: 'The keeper lit the lamp.' })
  ids = [post_id]
})
after(() => harness.close())

const known = async (word: string) =>
  (await harness.db.query<{ term: string }>('select term from post_words where word = $1 order by term', [word])).map(
    ({ term }) => term
  )

test('words that a restored backup does not hold are learnt again', async () => {
  const { addWordsOf } = harness.search.vocabulary
  await addWordsOf(ids)
  await harness.db.script('truncate post_words')
  await addWordsOf(ids)
  assert.deepEqual(await known('keeper'), [])
  await harness.db.transaction(touchEverything)
  await until(async () => {
    await addWordsOf(ids)
    return (await known('keeper')).length === 1
  })
})

test('words of a text read just before the language changed have the terms of the new one, too', async () => {
  await harness.db.script(
    "update search_languages set is_current = false; insert into search_languages values ('german', true)"
  )
  await harness.db.transaction(tx => addWords(tx, 'english', ['Leuchttürmen']))
  assert.deepEqual(await known('leuchtturmen'), ['leuchtturm', 'leuchtturmen'])
})
