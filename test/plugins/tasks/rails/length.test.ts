import assert from 'node:assert/strict'
import { test } from 'node:test'
import { length } from '../../../../plugins/tasks/rails/length.ts'
import { check, testRail } from '../../../helpers/rail.ts'

const words = (count: number) => ({ content: 'word '.repeat(count) })
const wanting400 = { target_length: 400 }

testRail(length, {
  passing: [
    {
      title: 'a text a quarter too short',
      draft: words(300),
      assignment: wanting400,
      note: /^300 words found, 400 wanted\.$/
    },
    { title: 'a text a quarter too long', draft: words(500), assignment: wanting400 },
    { title: 'a text somewhat shorter, saying so', draft: words(240), assignment: wanting400, note: /shorter/ }
  ],
  failing: [
    {
      title: 'half the words',
      draft: words(200),
      assignment: wanting400,
      note: /200 words found, 400 wanted: .*shorter/
    },
    { title: 'an empty text', draft: { content: '' }, assignment: wanting400, note: /^0 words/ },
    { title: 'twice the words', draft: words(800), assignment: wanting400, note: /longer/ },
    {
      title: 'a text that is long only by its Sources list',
      draft: { content: `short\n\n## Sources\n\n1. ${'word '.repeat(400)}` },
      assignment: wanting400
    },
    {
      title: 'a text that is long only by its code',
      draft: { content: `short\n\n\`\`\`\n${'word '.repeat(400)}\n\`\`\`` },
      assignment: wanting400
    }
  ]
})

test('length falls off the further the text is from its target', async () => {
  const scores: number[] = []
  for (const count of [400, 290, 250, 150, 100]) {
    scores.push((await check(length, { draft: words(count), assignment: wanting400 }))?.score ?? -1)
  }
  assert.deepEqual(scores, [100, 95, 75, 25, 0])
})

test('length counts each character of scripts without blanks', async () => {
  const finding = await check(length, { draft: { content: '水は流れる。'.repeat(80) }, assignment: wanting400 })
  assert.equal(finding?.note, '400 words found, 400 wanted.')
})
