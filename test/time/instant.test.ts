import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, localizeInstants, parseInstant, zoneOffsetMs } from '../../time/instant.ts'

const good: [text: string, zone: string, instant: string][] = [
  ['2026-11-21T10:00:00Z', 'Europe/Berlin', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21t10:00:00z', 'UTC', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00Z', 'UTC', '2026-11-21T10:00:00.000Z'],
  ['  2026-11-21T10:00Z ', 'UTC', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.5Z', 'UTC', '2026-11-21T10:00:00.500Z'],
  ['2026-11-21T10:00:00.123456789Z', 'UTC', '2026-11-21T10:00:00.123Z'],
  ['2026-11-21T10:00:00+01:00', 'UTC', '2026-11-21T09:00:00.000Z'],
  ['2026-11-21T10:00:00+0530', 'UTC', '2026-11-21T04:30:00.000Z'],
  ['2026-11-21T10:00:00-08', 'UTC', '2026-11-21T18:00:00.000Z'],
  ['2026-11-21T10:00:00-00:00', 'Asia/Tokyo', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00+14:00', 'UTC', '2026-11-20T20:00:00.000Z'],
  ['2026-12-31T23:30', 'America/New_York', '2027-01-01T04:30:00.000Z'],
  ['2026-11-21T10:00', 'UTC', '2026-11-21T10:00:00.000Z'],
  ['2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  ['2026-01-01T12:00', 'Europe/Berlin', '2026-01-01T11:00:00.000Z'],
  ['2026-01-01T12:00', 'Asia/Kathmandu', '2026-01-01T06:15:00.000Z'],
  ['2028-02-29T00:00', 'UTC', '2028-02-29T00:00:00.000Z'],
  // Summer time begins: 02:00 to 03:00 does not exist and is read with the offset before.
  ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  // Summer time ends: 02:00 to 03:00 comes twice, and the first is meant.
  ['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  // Lord Howe Island's clocks change by half an hour.
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z']
]
for (const [text, zone, instant] of good) {
  test('a sentence has its instants in a zone', () => {
    const text = 'revoked at 2026-11-21T08:30:31.000Z, no instant: 2026-99-99T99:99:99Z'
    const shown = 'revoked at 2026-11-21 03:30-05:00, no instant: 2026-99-99T99:99:99Z'
    assert.equal(localizeInstants(text, 'America/New_York'), shown)
    assert.equal(localizeInstants('given: "2026-11-21T08:30:31Z"', 'Asia/Tokyo'), 'given: "2026-11-21T08:30:31Z"')
    assert.equal(localizeInstants('at 9999-12-31T23:59:59Z', 'Europe/Berlin'), 'at +010000-01-01 00:59+01:00')
  })

  test(`${text} in ${zone} is ${instant}`, () => {
    assert.equal(parseInstant(text, zone)?.toISOString(), instant)
  })
}

const bad = [
  '',
  'now',
  'tomorrow',
  '2026-11-21',
  '10:00',
  '1795255200000',
  '2026-11-21T10',
  '2026-11-21T10:00:00 Z',
  '2026-11-21T10:00:00.Z',
  '2026-11-21T10:00:00CET',
  '2026-11-21T10:00:00Z junk',
  '2026-11-21T10:00:00Z\n2026-11-21T10:00:00Z',
  '2026-1-2T10:00Z',
  '26-11-21T10:00Z',
  '0050-01-01T00:00Z',
  '+12026-01-01T00:00Z',
  '2026-02-29T10:00Z',
  '2026-04-31T10:00Z',
  '2026-00-10T10:00Z',
  '2026-13-10T10:00Z',
  '2026-11-00T10:00Z',
  '2026-11-21T24:00Z',
  '2026-11-21T10:60Z',
  '2026-11-21T10:00:60Z',
  '2026-11-21T10:00+14:01',
  '2026-11-21T10:00+23:00',
  '2026-11-21T10:00+01:60',
  '2026-11-21T10:00+1',
  '2026-11-21T10:00+010',
  '２０２６-11-21T10:00Z'
]
for (const text of bad) {
  test(`${JSON.stringify(text)} is no time`, () => {
    assert.equal(parseInstant(text, 'Europe/Berlin'), null)
  })
}

test('a wall time read in a zone shows as that wall time there, for every hour of a year without gaps', () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/Phoenix', 'Pacific/Kiritimati']) {
    for (let hour = 0; hour < 8760; hour += 7) {
      const wall = Date.UTC(2026, 0, 1) + hour * 3_600_000
      const read = parseInstant(new Date(wall).toISOString().slice(0, 16), zone) as Date
      assert.equal(read.getTime() + zoneOffsetMs(read.getTime(), zone), wall)
    }
  }
})

test('an unknown zone is the caller’s bug', () => {
  assert.throws(() => parseInstant('2026-11-21T10:00', 'Mars/Olympus'), RangeError)
})

test('a time is shown in a zone, in a form that can be given to a command', () => {
  const rows: [zone: string, shown: string][] = [
    ['UTC', '2026-07-01 22:30Z'],
    ['Europe/Berlin', '2026-07-02 00:30+02:00'],
    ['America/St_Johns', '2026-07-01 20:00-02:30'],
    ['Pacific/Kiritimati', '2026-07-02 12:30+14:00']
  ]
  for (const [zone, shown] of rows) {
    assert.equal(formatInstant('2026-07-01T22:30:00.000Z', zone), shown)
    assert.equal(parseInstant(shown, 'UTC')?.toISOString(), '2026-07-01T22:30:00.000Z')
  }
})
