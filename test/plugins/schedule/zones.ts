import fc from 'fast-check'

/** Zones whose clocks change by an hour, by half an hour, and not at all but off the full hour. */
export const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'] as const

/** Instants at which the clocks of those zones change in 2026. */
export const changes: readonly [zone: string, at: string][] = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z']
]

const minuteMs = 60_000

/** A zone with a whole minute within three days of a change of its clocks, or of any time in a zone without one. */
export const aroundChanges = fc
  .tuple(
    fc.constantFrom(...changes, ['Asia/Kathmandu', '2026-06-01T00:00:00Z'] as const),
    fc.integer({ min: -4_320, max: 4_320 })
  )
  .map(([[timeZone, at], minutes]) => ({ timeZone, at: Date.parse(at) + minutes * minuteMs }))

export interface Wall {
  date: string
  time: string
  weekday: string
}

/** What the local clock and calendar show, as Intl formats them. */
export function wall(at: number, timeZone: string): Wall {
  const parts = formatter(timeZone).formatToParts(at)
  const part = (type: string) => parts.find(item => item.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    weekday: part('weekday').toLowerCase()
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>()
function formatter(timeZone: string): Intl.DateTimeFormat {
  const made =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'long', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit' }
    })
  formatters.set(timeZone, made)
  return made
}

/** `HH:MM`. */
export const clock = fc.integer({ min: 0, max: 1_439 }).map(minute => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
})
