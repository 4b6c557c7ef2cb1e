import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { durationMs, formatDuration, parseDurationMs, parseSignedDuration } from '#time'

const never = { days: Number.NaN, ms: 0 }

fc.configureGlobal({ seed: 20_261_121 })

const good: [text: string, seconds: number][] = [
  ['1s', 1],
  ['30m', 1_800],
  ['2h', 7_200],
  ['1d', 86_400],
  ['1h30m', 5_400],
  ['90m', 5_400],
  ['1d2h3m4s', 93_784],
  ['0h30m', 1_800],
  ['1w', 604_800],
  ['1w1d', 691_200],
  ['3660d', 316_224_000]
]
for (const [text, seconds] of good) {
  test(`${text} lasts ${seconds} s`, () => assert.equal(parseDurationMs(text), seconds * 1000))
}

const bad = ['', '0m', '0h0m', '5', 'h', 'm30', '1h30', '1.5h', '1,5h', '1 h', ' 1h', '1h ', '1H', '1ms', '-1h', '+1h']
bad.push('1h-30m', '1h30m!', 'PT1H', '1h\n', '1e3s', '0x10m', '１h', '3661d', '999999999d', `${'1'.repeat(400)}s`)
for (const text of bad) {
  test(`${JSON.stringify(text.slice(0, 20))} is no duration`, () => assert.equal(parseDurationMs(text), null))
}

test('a sign in front turns the direction, and only one', () => {
  const read = (text: string) => {
    const duration = parseSignedDuration(text)
    return duration && durationMs(duration)
  }
  assert.deepEqual(['2h', '+2h', '-2h', '--2h', '-+2h', '-', '-0m', '2h-'].map(read), [
    7_200_000,
    7_200_000,
    -7_200_000,
    null,
    null,
    null,
    null,
    null
  ])
})

test('what is shown reads back as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -316_224_000, max: 316_224_000 }), seconds => {
      fc.pre(seconds !== 0)
      assert.equal(durationMs(parseSignedDuration(formatDuration(seconds * 1000)) ?? never), seconds * 1000)
    })
  )
})

test('amounts add up, in whatever order they stand', () => {
  const unit = fc.constantFrom('s', 'm', 'h')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 9_999 }), unit), { minLength: 1, maxLength: 6 }), parts => {
      const text = parts.map(([amount, name]) => `${amount}${name}`).join('')
      const sum = parts.reduce((total, [amount, name]) => total + (parseDurationMs(`${amount}${name}`) ?? 0), 0)
      assert.equal(parseDurationMs(text), sum)
    })
  )
})
