import { parseInstant } from '#time'

const dayOnly = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
/** As Jekyll writes them: a blank before the offset. */
const blankBeforeOffset = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) +(Z|UTC|[+-]\d{2}:?\d{2})$/i
/** As Hexo writes them. */
const slashes = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/
/** As Hexo takes them: a month, a day or an hour of one digit. */
const oneDigit = /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2})(:\d{2}.*)$/
/** As authors write them for Astro: `Jul 08 2022`, `8 July 2022`. */
const inWords = /^(?:[A-Za-z]{3,9},? +)?(?:([A-Za-z]{3,9})\.? +(\d{1,2})|(\d{1,2}) +([A-Za-z]{3,9})),? +(\d{4})$/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads a date as blogs write it; what has no offset is local to `timeZone`. Null for what is none. */
export function readDate(text: string, timeZone: string): Date | null {
  const given = text.trim().slice(0, 60).replace(slashes, '$1-$2-$3').replace(oneDigit, inTwoDigits)
  const at = parseInstant(given.replace(blankBeforeOffset, withOffset), timeZone)
  return at ?? parseDay(given, timeZone) ?? parseWords(given, timeZone)
}

const inTwoDigits = (_: string, year: string, month: string, day: string, hour: string, rest: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}${rest}`

const withOffset = (_: string, wall: string, offset: string): string =>
  `${wall}${offset.toUpperCase() === 'UTC' ? 'Z' : offset}`

function parseDay(text: string, timeZone: string): Date | null {
  const [, year, month, day] = dayOnly.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  return parseInstant(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00`, timeZone)
}

function parseWords(text: string, timeZone: string): Date | null {
  const [, monthFirst, dayLast, dayFirst, monthLast, year] = inWords.exec(text) ?? []
  const month = months.indexOf((monthFirst ?? monthLast ?? '').slice(0, 3).toLowerCase()) + 1
  return month === 0 ? null : parseDay(`${year}-${month}-${dayLast ?? dayFirst}`, timeZone)
}
