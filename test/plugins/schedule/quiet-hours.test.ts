import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxSlotMs } from '#plugins/posts'
import { moveBy } from '#time'
import { batchSlots } from '../../../plugins/schedule/batch-slots.ts'
import { afterQuiet, isQuiet, parseQuietHours, type QuietHours } from '../../../plugins/schedule/quiet-hours.ts'
import { aroundChanges, clock, wall } from './zones.ts'

fc.configureGlobal({ seed: 20_261_121 })

const quiet = (text: string): QuietHours => {
  const read = parseQuietHours(text)
  assert.ok(read !== null, text)
  return read
}
const minuteMs = 60_000

const bad = [
  '',
  '22:00',
  '22:00-',
  '22:00-22:00',
  '00:00-00:00',
  '24:00-07:00',
  '22:00-24:00',
  '22:60-07:00',
  '9:00-17:00'
]
bad.push(
  '22-07',
  '22:00–07:00',
  '22:00 - 07:00',
  '22:00-07:00 ',
  ' 22:00-07:00',
  '22:00-07:00,12:00-13:00',
  '22:00:00-07:00:00'
)
bad.push('off', '22:00-07:00\n')
for (const text of bad) {
  test(`${JSON.stringify(text)} is no window`, () => assert.equal(parseQuietHours(text), null))
}

const moves: [window: string, zone: string, at: string, moved: string][] = [
  ['22:00-07:00', 'UTC', '2026-11-21T21:59:59.999Z', '2026-11-21T21:59:59.999Z'],
  ['22:00-07:00', 'UTC', '2026-11-21T22:00:00Z', '2026-11-22T07:00:00Z'],
  ['22:00-07:00', 'UTC', '2026-11-21T23:59:59.999Z', '2026-11-22T07:00:00Z'],
  ['22:00-07:00', 'UTC', '2026-11-22T00:00:00Z', '2026-11-22T07:00:00Z'],
  ['22:00-07:00', 'UTC', '2026-11-22T06:59:59.999Z', '2026-11-22T07:00:00Z'],
  ['22:00-07:00', 'UTC', '2026-11-22T07:00:00Z', '2026-11-22T07:00:00Z'],
  ['12:00-13:00', 'UTC', '2026-11-22T12:30:00Z', '2026-11-22T13:00:00Z'],
  ['00:00-06:00', 'UTC', '2026-12-31T00:00:00Z', '2026-12-31T06:00:00Z'],
  ['22:00-00:00', 'UTC', '2026-12-31T23:00:00Z', '2027-01-01T00:00:00Z'],
  ['22:00-07:00', 'Asia/Kathmandu', '2026-06-01T16:15:00Z', '2026-06-02T01:15:00Z'],
  // The night is an hour shorter, or longer.
  ['22:00-07:00', 'Europe/Berlin', '2026-03-28T21:00:00Z', '2026-03-29T05:00:00Z'],
  ['22:00-07:00', 'Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T06:00:00Z'],
  ['22:00-07:00', 'America/New_York', '2026-03-08T03:00:00Z', '2026-03-08T11:00:00Z'],
  ['22:00-07:00', 'America/New_York', '2026-11-01T02:00:00Z', '2026-11-01T12:00:00Z'],
  ['22:00-07:00', 'Australia/Lord_Howe', '2026-10-03T11:30:00Z', '2026-10-03T20:00:00Z'],
  ['22:00-07:00', 'Australia/Lord_Howe', '2026-04-04T11:00:00Z', '2026-04-04T20:30:00Z'],
  // The end is skipped: the window ends when the clocks have jumped over it.
  ['23:00-02:30', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T01:00:00Z'],
  ['23:00-02:30', 'America/New_York', '2026-03-08T06:00:00Z', '2026-03-08T07:00:00Z'],
  ['23:00-02:15', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z', '2026-10-03T15:30:00Z'],
  // The beginning is skipped.
  ['02:30-06:00', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T04:00:00Z'],
  // All of it is skipped.
  ['02:10-02:50', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
  // Beyond the skipped end the next window has begun.
  ['03:00-02:30', 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-30T00:30:00Z'],
  // The end comes twice: the first time ends the window, and in the repeated hour it is quiet again until the second.
  ['23:00-02:30', 'Europe/Berlin', '2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z'],
  ['23:00-02:30', 'Europe/Berlin', '2026-10-25T00:40:00Z', '2026-10-25T00:40:00Z'],
  ['23:00-02:30', 'Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-25T01:30:00Z'],
  // The beginning comes twice: the window, once begun, lasts to its end.
  ['02:30-06:00', 'Europe/Berlin', '2026-10-25T00:40:00Z', '2026-10-25T05:00:00Z'],
  ['01:45-06:00', 'Australia/Lord_Howe', '2026-04-04T14:50:00Z', '2026-04-04T19:30:00Z']
]
for (const [window, zone, at, moved] of moves) {
  test(`with ${window} in ${zone}, ${at} becomes ${moved}`, () => {
    assert.equal(new Date(afterQuiet(Date.parse(at), quiet(window), zone)).toISOString(), new Date(moved).toISOString())
  })
}

const windows = fc
  .tuple(clock, clock)
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => ({ start, end, window: quiet(`${start}-${end}`) }))

/** By the clock's text alone. */
const showsQuiet = (at: number, timeZone: string, { start, end }: { start: string; end: string }) => {
  const { time } = wall(at, timeZone)
  return start < end ? time >= start && time < end : time >= start || time < end
}

test('it is quiet when the local clock shows a time within the window', () => {
  fc.assert(
    fc.property(aroundChanges, windows, ({ at, timeZone }, hours) => {
      assert.equal(isQuiet(at, hours.window, timeZone), showsQuiet(at, timeZone, hours))
    }),
    { numRuns: 1_000 }
  )
})

test('what is not quiet stays, what is moves to the end of the window: not later and not earlier', () => {
  fc.assert(
    fc.property(aroundChanges, windows, ({ at, timeZone }, hours) => {
      const moved = afterQuiet(at, hours.window, timeZone)
      assert.equal(showsQuiet(moved, timeZone, hours), false)
      if (!showsQuiet(at, timeZone, hours)) return assert.equal(moved, at)
      assert.ok(moved > at)
      // The local clock shows the end, or has just jumped over it.
      const { time } = wall(moved, timeZone)
      if (time !== hours.end) assert.notEqual(offsetOf(moved - minuteMs, timeZone), offsetOf(moved, timeZone))
      // Until then it was quiet all the time, except where the clocks repeat the time before the window.
      for (let between = at; between < moved; between += minuteMs) {
        if (!showsQuiet(between, timeZone, hours)) assert.notEqual(offsetOf(at, timeZone), offsetOf(between, timeZone))
      }
    }),
    { numRuns: 400 }
  )
})

const offsetOf = (at: number, timeZone: string) => {
  const { date, time } = wall(at, timeZone)
  return Date.parse(`${date}T${time}Z`) - at
}

test('a batch: as many as asked, in order, none quiet, each an interval after the last or at an end of the window', () => {
  const plan = fc.record({ count: fc.integer({ min: 0, max: 60 }), minutes: fc.integer({ min: 1, max: 2_880 }) })
  fc.assert(
    fc.property(aroundChanges, windows, plan, ({ at, timeZone }, hours, { count, minutes }) => {
      const intervalMs = minutes * minuteMs
      const slots = batchSlots({
        startMs: at,
        count,
        interval: { days: 0, ms: intervalMs },
        quiet: hours.window,
        timeZone
      })
      assert.equal(slots.length, count)
      for (const [index, slot] of slots.entries()) {
        const due = index === 0 ? at : (slots[index - 1] as number) + intervalMs
        assert.equal(showsQuiet(slot, timeZone, hours), false)
        assert.equal(slot, showsQuiet(due, timeZone, hours) ? afterQuiet(due, hours.window, timeZone) : due)
      }
    }),
    { numRuns: 300 }
  )
})

test('without quiet hours a batch is evenly spaced, across changes of the clocks too', () => {
  const slots = batchSlots({
    ...{ startMs: Date.parse('2026-03-28T22:00:00Z'), count: 4, interval: { days: 0, ms: 7_200_000 } },
    ...{ quiet: null, timeZone: 'Europe/Berlin' }
  })
  assert.deepEqual(
    slots.map(slot => wall(slot, 'Europe/Berlin').time),
    ['23:00', '01:00', '04:00', '06:00']
  )
})

test('after a window later slots go on from its end', () => {
  const slots = batchSlots({
    ...{ startMs: Date.parse('2026-10-24T18:30:00Z'), count: 5, interval: { days: 0, ms: 5_400_000 } },
    ...{ quiet: quiet('22:00-07:00'), timeZone: 'Europe/Berlin' }
  })
  assert.deepEqual(
    slots.map(slot => wall(slot, 'Europe/Berlin').time),
    ['20:30', '07:00', '08:30', '10:00', '11:30']
  )
})

test('days between slots are days of the calendar: the local clock shows the same time, where it can', () => {
  const plan = fc.record({ count: fc.integer({ min: 1, max: 30 }), days: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(aroundChanges, plan, ({ at, timeZone }, { count, days }) => {
      const slots = batchSlots({ startMs: at, count, interval: { days, ms: 0 }, quiet: null, timeZone })
      const first = wall(at, timeZone)
      for (const [index, slot] of slots.entries()) {
        const { date, time } = wall(slot, timeZone)
        assert.equal((Date.parse(date) - Date.parse(first.date)) / 86_400_000, index * days)
        // A time that the clocks skip is an hour later, half an hour on Lord Howe, and on that day only.
        const isSkipped = [30, 60].some(minutes => time === later(first.time, minutes))
        assert.ok(time === first.time || isSkipped, `${first.time} ${time}`)
        assert.ok(index === 0 || slot > (slots[index - 1] as number))
      }
      assert.ok(slots.filter(slot => wall(slot, timeZone).time !== first.time).length <= 1)
    }),
    { numRuns: 300 }
  )
})

const later = (time: string, minutes: number) =>
  new Date(Date.parse(`2026-01-01T${time}Z`) + minutes * minuteMs).toISOString().slice(11, 16)

test('a slot moved by days and hours: the days first, forwards and back', () => {
  const moved = (at: string, days: number, ms: number) =>
    new Date(moveBy(Date.parse(at), { days, ms }, 'Europe/Berlin')).toISOString()
  assert.equal(moved('2026-03-28T08:00:00Z', 1, 0), '2026-03-29T07:00:00.000Z')
  assert.equal(moved('2026-03-29T07:00:00Z', -1, 0), '2026-03-28T08:00:00.000Z')
  assert.equal(moved('2026-10-24T07:00:00Z', 7, 3_600_000), '2026-10-31T09:00:00.000Z')
  assert.equal(moved('2026-03-28T08:00:00Z', 0, 86_400_000), '2026-03-29T08:00:00.000Z')
})

test('a batch ends where the years would need a fifth digit', () => {
  const slots = batchSlots({
    ...{ startMs: maxSlotMs - 2_000, count: 9, interval: { days: 0, ms: 1_000 }, quiet: null, timeZone: 'UTC' }
  })
  assert.equal(slots.length, 2)
})
