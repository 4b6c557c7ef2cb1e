import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readability } from '../../../../plugins/tasks/rails/readability.ts'
import { check, testRail } from '../../../helpers/rail.ts'

const dense = `The institutionalisation of interdisciplinary methodologies necessitates comprehensive reconsideration of the
epistemological presuppositions underlying contemporary organisational communication, notwithstanding considerable
historiographical disagreement concerning the operationalisation of multidimensional conceptualisations of responsibility. `
const plain = 'The cat sat on the mat. It was warm in the sun. The dog came in and the cat ran up the tree. '

testRail(readability, {
  passing: [
    { title: 'plain words', draft: { content: plain.repeat(4) }, note: /^Reading ease \d+, \d+ words a sentence\.$/ }
  ],
  failing: [{ title: 'long words in long sentences', draft: { content: dense.repeat(3) } }]
})

test('readability does not judge what its formula was not made for', async () => {
  const german = 'Der Hund läuft über die Wiese und freut sich über das schöne Wetter am Sonntag. '
  for (const content of [plain, german.repeat(6), '水は流れる。'.repeat(60), '']) {
    assert.equal(await check(readability, { draft: { content } }), null, content.slice(0, 20))
  }
})
