import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { chaptersOf, cuesOf } from '../../../../plugins/media/transcript/cues.ts'
import { chaptersJson, subRip, transcriptJson, webVtt } from '../../../../plugins/media/transcript/formats.ts'

const utterance = fc.record({
  text: fc.string({ minLength: 1 }),
  section: fc.constant(null),
  samples: fc.nat(500_000),
  pause: fc.nat(48_000)
})
const rate = fc.constantFrom(16_000, 22_050, 24_000, 32_000, 44_100, 48_000)

test('every cue starts at the sum of the samples before it, to half a millisecond', () => {
  fc.assert(
    fc.property(fc.array(utterance), rate, (spoken, sampleRate) => {
      const audible = spoken.map(each => ({ ...each, samples: each.samples + 48 }))
      const cues = cuesOf(audible, audible, sampleRate)
      assert.equal(cues.length, audible.length)
      let samples = 0
      for (const [at, { startMs, endMs }] of cues.entries()) {
        const { samples: length = 0, pause = 0 } = audible[at] ?? {}
        assert.ok(Math.abs(startMs - (samples / sampleRate) * 1000) <= 0.500001)
        assert.ok(Math.abs(endMs - ((samples + length) / sampleRate) * 1000) <= 0.500001)
        samples += length + pause
      }
    })
  )
})

test('cues follow each other, and one without a sound is left out', () => {
  fc.assert(
    fc.property(fc.array(utterance), rate, (spoken, sampleRate) => {
      const cues = cuesOf(spoken, spoken, sampleRate)
      for (const [at, cue] of cues.entries()) {
        assert.ok(cue.startMs < cue.endMs)
        assert.ok((cues[at - 1]?.endMs ?? 0) <= cue.startMs)
      }
    })
  )
})

const cues = [
  { text: 'Tides', section: null, startMs: 0, endMs: 700 },
  { text: 'The <Moon> & I --> x', section: 0, startMs: 1600, endMs: 3_601_005 },
  { text: 'It pulls.', section: 0, startMs: 3_601_455, endMs: 3_602_000 },
  { text: 'The sun', section: 2, startMs: 3_602_900, endMs: 3_603_400 }
]

describe('transcripts', () => {
  test('as WebVTT, escaped', () => {
    assert.equal(
      webVtt(cues.slice(0, 2)),
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.700\nTides\n\n00:00:01.600 --> 01:00:01.005\nThe &lt;Moon&gt; &amp; I --&gt; x\n'
    )
  })

  test('as SubRip, numbered', () => {
    assert.equal(
      subRip(cues.slice(0, 2)),
      '1\n00:00:00,000 --> 00:00:00,700\nTides\n\n2\n00:00:01,600 --> 01:00:01,005\nThe <Moon> & I → x\n'
    )
  })

  test('as JSON', () => {
    assert.deepEqual(JSON.parse(transcriptJson(cues)).segments[2], {
      startTime: 3601.455,
      endTime: 3602,
      body: 'It pulls.'
    })
  })

  test('without a cue they are still whole', () => {
    assert.deepEqual([webVtt([]), subRip([])], ['WEBVTT\n', ''])
  })
})

test('a chapter starts with its heading and ends where the next begins; a section that is not heard has none', () => {
  const chapters = chaptersOf(['The Moon', 'Silent', 'The sun'], cues, 3_604_300)
  assert.deepEqual(chapters, [
    { title: 'The Moon', startMs: 1600, endMs: 3_602_900 },
    { title: 'The sun', startMs: 3_602_900, endMs: 3_604_300 }
  ])
  assert.deepEqual(JSON.parse(chaptersJson('Tides', chapters)).chapters[0], {
    startTime: 1.6,
    endTime: 3602.9,
    title: 'The Moon'
  })
})
