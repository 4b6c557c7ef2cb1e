import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captionCards, chapterCards } from '../../../../plugins/media/video/film-slides.ts'

/** Sentences that end at these seconds, each from the end of the one before on. */
const ending = (...ends: number[]) =>
  ends.map((toSeconds, at) => ({ text: `Sentence ${at}`, fromSeconds: ends[at - 1] ?? 0, toSeconds }))

const rows: [what: string, ends: number[], cards: number, seconds: number][] = [
  ['all sentences of a short text', [4, 9.5], 2, 9.5],
  ['the sentences that end within a minute', [20, 40, 59.9, 60], 3, 59.9],
  // The last packet of the sound ends within the minute, too.
  ['the first minute of a sentence that is longer', [75, 80], 1, 59.9],
  ['nothing of silence', [], 0, 0]
]
for (const [what, ends, cards, seconds] of rows)
  test(`a film for phones has ${what}`, () => {
    const captions = captionCards(ending(...ends))
    assert.deepEqual([captions.cards.length, captions.seconds], [cards, seconds])
  })

test('a book with a thousand chapters has 255 cards', () => {
  assert.equal(chapterCards(ending(...Array.from({ length: 1000 }, (_, at) => at + 1))).length, 255)
})
