import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNotes } from '../../../cli/framework/progress.ts'

function recordNotes(isLive: boolean, columns = 40) {
  const clock = { at: 0 }
  let written = ''
  const notes = createNotes({ write: text => (written += text), isLive, columns, now: () => clock.at })
  return { ...notes, clock, read: () => written }
}

test('on a terminal progress is drawn on one line, at most ten times a second, and ends with its last state', () => {
  const { progress, clock, read } = recordNotes(true)
  const work = progress('copying')
  work.update(1, 4)
  work.update(2, 4)
  clock.at = 100
  work.update(3, 4)
  work.update(4, 4)
  work.end()
  work.end()
  assert.equal(
    read(),
    `${['1 of 4 (25 %)', '3 of 4 (75 %)', '4 of 4 (100 %)'].map(text => `\rcopying: ${text}\u001b[K`).join('')}\n`
  )
})

test('a note goes above the progress, which stays the last line', () => {
  const { note, progress, read } = recordNotes(true)
  note('begun')
  const work = progress('reading')
  work.update(7)
  note('odd')
  assert.equal(read(), 'begun\n\rreading: 7\u001b[K\rodd\u001b[K\nreading: 7')
})

test('progress is cut to the terminal', () => {
  const { progress, read } = recordNotes(true, 12)
  progress('a long label').update(1)
  assert.equal(read(), '\ra long lab…\u001b[K')
})

test('in a pipe progress is a line now and then, and its end', () => {
  const { progress, clock, read } = recordNotes(false)
  const work = progress('posts')
  for (const at of [0, 1000, 5000, 5100, 9999, 10_000, 10_100]) {
    clock.at = at
    work.update(at, 20_000)
  }
  work.end()
  assert.equal(read(), 'posts: 5000 of 20000 (25 %)\nposts: 10000 of 20000 (50 %)\nposts: 10100 of 20000 (50 %)\n')
})

test('work that did nothing shows nothing', () => {
  for (const isLive of [true, false]) {
    const { progress, read } = recordNotes(isLive)
    progress('posts').end()
    assert.equal(read(), '')
  }
})
