import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseWhen } from '../../time/when.ts'
import { aroundChanges, clock, wall } from '../plugins/schedule/zones.ts'

fc.configureGlobal({ seed: 20_261_121 })

// A Saturday.
const now = new Date('2026-11-21T03:04:05.678Z')

const good: [text: string, zone: string, instant: string][] = [
  ['now', 'Asia/Kathmandu', '2026-11-21T03:04:05.678Z'],
  [' NOW ', 'UTC', '2026-11-21T03:04:05.678Z'],
  ['2026-12-01 09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
  ['2026-12-01T09:00:00Z', 'Europe/Berlin', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00+05:45', 'UTC', '2026-12-01T03:15:00.000Z'],
  ['tomorrow', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['tomorrow 9', 'UTC', '2026-11-22T09:00:00.000Z'],
  ['tomorrow 09', 'UTC', '2026-11-22T09:00:00.000Z'],
  ['tomorrow 9am', 'UTC', '2026-11-22T09:00:00.000Z'],
  ['Tomorrow  9:30PM', 'UTC', '2026-11-22T21:30:00.000Z'],
  ['tomorrow 14:00', 'UTC', '2026-11-22T14:00:00.000Z'],
  ['tomorrow 0', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['tomorrow 12am', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['tomorrow 12pm', 'UTC', '2026-11-22T12:00:00.000Z'],
  ['tomorrow 12:59am', 'UTC', '2026-11-22T00:59:00.000Z'],
  ['tomorrow 23:59', 'UTC', '2026-11-22T23:59:00.000Z'],
  // Still the 20th there.
  ['tomorrow 9am', 'America/New_York', '2026-11-21T14:00:00.000Z'],
  ['tomorrow 9am', 'Asia/Kathmandu', '2026-11-22T03:15:00.000Z'],
  ['today 9am', 'UTC', '2026-11-21T09:00:00.000Z'],
  // It has passed: what reads it refuses it.
  ['today 3:04', 'UTC', '2026-11-21T03:04:00.000Z'],
  ['today 23:00', 'America/New_York', '2026-11-21T04:00:00.000Z'],
  ['9am', 'UTC', '2026-11-21T09:00:00.000Z'],
  ['3am', 'UTC', '2026-11-22T03:00:00.000Z'],
  ['3:04', 'UTC', '2026-11-22T03:04:00.000Z'],
  ['14:00', 'Asia/Kathmandu', '2026-11-21T08:15:00.000Z'],
  ['saturday 9am', 'UTC', '2026-11-21T09:00:00.000Z'],
  ['saturday 3am', 'UTC', '2026-11-28T03:00:00.000Z'],
  ['saturday', 'UTC', '2026-11-28T00:00:00.000Z'],
  ['Monday 9AM', 'UTC', '2026-11-23T09:00:00.000Z'],
  ['friday 23:00', 'America/New_York', '2026-11-21T04:00:00.000Z'],
  ['in 2h', 'Asia/Kathmandu', '2026-11-21T05:04:05.678Z'],
  ['in 1w', 'UTC', '2026-11-28T03:04:05.678Z'],
  ['in 1h 30m', 'UTC', '2026-11-21T04:34:05.678Z'],
  ['next sunday', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['next monday 14:00', 'UTC', '2026-11-23T14:00:00.000Z'],
  ['next friday 9am', 'UTC', '2026-11-27T09:00:00.000Z'],
  ['next saturday 9am', 'UTC', '2026-11-28T09:00:00.000Z'],
  ['next friday 9am', 'America/New_York', '2026-11-27T14:00:00.000Z']
]
for (const [text, zone, instant] of good) {
  test(`${JSON.stringify(text)} in ${zone} is ${instant}`, () => {
    assert.equal(parseWhen(text, now, zone)?.toISOString(), instant)
  })
}

test('next monday on a Monday is in seven days, whatever the time of day', () => {
  for (const time of ['00:00', '12:00', '23:59']) {
    const monday = new Date(`2026-11-23T${time}:00Z`)
    assert.equal(parseWhen('next monday 9am', monday, 'UTC')?.toISOString(), '2026-11-30T09:00:00.000Z', time)
  }
})

// now, what is read, where, and when that is.
const clockChanges: [now: string, text: string, zone: string, instant: string][] = [
  // 02:30 is skipped: read with the offset before.
  ['2026-03-28T12:00:00Z', 'tomorrow 2:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-07T12:00:00Z', 'tomorrow 2:30am', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-10-03T00:00:00Z', 'tomorrow 2:15am', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  // It comes twice: the first is meant.
  ['2026-10-24T12:00:00Z', 'next sunday 2:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-31T12:00:00Z', 'tomorrow 1:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-04-04T00:00:00Z', 'tomorrow 1:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  // A day of 23 hours and one of 25 lie between.
  ['2026-03-28T22:30:00Z', 'tomorrow 9', 'Europe/Berlin', '2026-03-29T07:00:00.000Z'],
  ['2026-10-24T21:30:00Z', 'tomorrow 9', 'Europe/Berlin', '2026-10-25T08:00:00.000Z'],
  ['2026-12-31T23:30:00Z', 'tomorrow 9', 'UTC', '2027-01-01T09:00:00.000Z'],
  ['2028-02-28T12:00:00Z', 'tomorrow 9', 'UTC', '2028-02-29T09:00:00.000Z']
]
for (const [at, text, zone, instant] of clockChanges) {
  test(`at ${at}, ${text} in ${zone} is ${instant}`, () => {
    assert.equal(parseWhen(text, new Date(at), zone)?.toISOString(), instant)
  })
}

const bad = [
  '',
  ' ',
  'today',
  'today 9am 10am',
  '9',
  '21',
  '9 am',
  '9am now',
  'in',
  'in 2',
  'in 2h 3',
  'in 1 2h',
  'in -2h',
  'yesterday',
  'now 9am',
  'tomorrow 24:00',
  'tomorrow 25',
  'tomorrow 9:5'
]
bad.push('tomorrow 9:60', 'tomorrow 13pm', 'tomorrow 0am', 'tomorrow 9 am', 'tomorrow 9am please', 'tomorrow9am')
bad.push(
  'tomorrow -1',
  'tomorrow 9.30',
  'tomorrow 009',
  'next',
  'next week',
  'next mon',
  'next 9am',
  'mon',
  'monday 9 am',
  'monday monday',
  'in monday',
  '24:00',
  '13pm',
  'in 0h'
)
bad.push('next monday tuesday', 'next monday 9am 10am', '2h', '2026-12-01', '2026-13-01 09:00', '1764579600')
for (const text of bad) {
  test(`${JSON.stringify(text)} is no time`, () => assert.equal(parseWhen(text, now, 'Europe/Berlin'), null))
}

const weekday = fc.constantFrom('sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday')

test('the day named is the one meant, at the time named unless the clocks skip it', () => {
  fc.assert(
    fc.property(aroundChanges, clock, weekday, ({ at, timeZone }, time, day) => {
      for (const text of [`tomorrow ${time}`, `next ${day} ${time}`]) {
        const read = parseWhen(text, new Date(at), timeZone)?.getTime() ?? Number.NaN
        const from = wall(at, timeZone)
        const to = wall(read, timeZone)
        const days = (Date.parse(to.date) - Date.parse(from.date)) / 86_400_000
        assert.ok(read > at, text)
        if (text.startsWith('tomorrow')) assert.equal(days, 1)
        else assert.deepEqual([to.weekday, days >= 1 && days <= 7], [day, true])
        const isShown = [-60, -30, 0, 30, 60].some(
          minutes => JSON.stringify(wall(read + minutes * 60_000, timeZone)) === JSON.stringify({ ...to, time })
        )
        if (isShown) assert.equal(to.time, time)
      }
    }),
    { numRuns: 500 }
  )
})

test('what needs no date is always ahead, the nearest such time, and on the local clock', () => {
  fc.assert(
    fc.property(aroundChanges, clock, weekday, ({ at, timeZone }, time, day) => {
      const read = (text: string) => parseWhen(text, new Date(at), timeZone)?.getTime() ?? Number.NaN
      const longest = { [time]: 1, [`${day} ${time}`]: 7, 'in 1h30m': 1, 'in 1w': 7 }
      for (const [text, days] of Object.entries(longest)) {
        const ahead = read(text) - at
        assert.ok(ahead > 0, `${text} at ${new Date(at).toISOString()}`)
        // The clocks go back by an hour at most, and a skipped time is read an hour later.
        assert.ok(ahead <= days * 86_400_000 + 2 * 3_600_000, text)
      }
      assert.equal(wall(read(`${day} ${time}`), timeZone).weekday, day)
      assert.equal(wall(read(`today ${time}`), timeZone).date, wall(at, timeZone).date)
    }),
    { numRuns: 500 }
  )
})

test('nothing is half read: a word more or a word less is another time, or none', () => {
  const words = fc.constantFrom(
    'now',
    'today',
    'tomorrow',
    'next',
    'monday',
    'in',
    '9',
    '9am',
    '14:00',
    '2h',
    '1w',
    'please'
  )
  const forms = [
    /^now$/,
    /^in( \d+[hw])+$/,
    /^today (9|9am|14:00)$/,
    /^(tomorrow|(next )?monday)( 9| 9am| 14:00)?$/,
    /^(9am|14:00)$/
  ]
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), list => {
      const text = list.join(' ')
      const isForm = forms.some(form => form.test(text))
      assert.equal(parseWhen(text, now, 'Europe/Berlin') !== null, isForm, text)
    }),
    { numRuns: 2_000 }
  )
})

test('any text is read or refused, never thrown at', () => {
  const words = fc.constantFrom(
    'now',
    'tomorrow',
    'next',
    'monday',
    '9',
    '9am',
    '14:00',
    '2026-12-01',
    'T',
    '-',
    '',
    'in'
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map(list => list.join(' '))
      ),
      text => {
        const read = parseWhen(text, now, 'Europe/Berlin')
        assert.ok(read === null || !Number.isNaN(read.getTime()))
      }
    )
  )
})
