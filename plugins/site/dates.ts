import { createBoundedMap } from '#core'

/** Writes moments in a language, as a day and as a month. */
interface Dates {
  day(iso: string): string
  month(iso: string): string
}

export function createDates(language: string, timeZone: string): Dates {
  const day = formatOf(language, { dateStyle: 'long', timeZone })
  const month = formatOf(language, { month: 'long', year: 'numeric', timeZone })
  return { day: formatted(day), month: formatted(month) }
}

/** A page and the lists of its post show the same moments, at other times of an export. So many take 3 MB. */
const maxMoments = 20_000

function formatted(format: Intl.DateTimeFormat): (iso: string) => string {
  const moments = createBoundedMap<string, string>({ maxEntries: () => maxMoments })
  return iso => moments.getOrCompute(iso, () => format.format(new Date(iso)))
}

/** Making one takes longer than the rest of a page. A site has one language and one time zone, and posts have a few more. */
const maxFormats = 100
const formats = createBoundedMap<string, Intl.DateTimeFormat>({ maxEntries: () => maxFormats })

function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return formats.getOrCompute(JSON.stringify([language, options]), () => newFormat(language, options))
}

/** A language tag may have the form of one and mean none. */
function newFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new Intl.DateTimeFormat('en', options)
  }
}
