import pg from 'pg'

type Parse = (text: string) => unknown

/** A timestamp as a UTC session writes it: date, time, up to three digits of the fraction. */
const utcTimestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(?:\+00)?$/
const anyTimestamp = /^(\d{4,6})(-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?([+-]\d\d(?::\d\d)?)?( BC)?$/

/**
 * ISO 8601 UTC with milliseconds; further digits are cut off. `infinity` and `-infinity` stay as they are;
 * years before 0 and after 9999 take ISO's signed six digits.
 */
function parseTimestamp(text: string): string {
  const parts = utcTimestamp.exec(text)
  if (parts === null) return parseRareTimestamp(text)
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').padEnd(3, '0')}Z`
}

function parseRareTimestamp(text: string): string {
  const parts = anyTimestamp.exec(text)
  if (parts === null) return text
  const [, year = '', day, time, millis = '', offset, era] = parts
  const signed = era === undefined ? Number(year) : 1 - Number(year)
  const sign = signed < 0 ? '-' : '+'
  const isoYear =
    signed >= 0 && signed <= 9999 ? year.padStart(4, '0') : sign + String(Math.abs(signed)).padStart(6, '0')
  const at = new Date(`${isoYear}${day}T${time}.${millis.padEnd(3, '0')}${isoOffset(offset)}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

function isoOffset(offset: string | undefined): string {
  if (offset === undefined) return 'Z'
  return offset.length === 3 ? `${offset}:00` : offset
}

const unchanged: Parse = text => text

/** By type oid: the parser of the scalar, and the oid of its array. Everything else keeps pg's own parser. */
const scalars: readonly { oid: number; array: number; parse: Parse }[] = [
  { oid: 20, array: 1016, parse: Number }, // int8: counts and sizes stay far below 2^53
  { oid: 1700, array: 1231, parse: unchanged }, // numeric
  { oid: 1082, array: 1182, parse: unchanged }, // date
  { oid: 1083, array: 1183, parse: unchanged }, // time
  { oid: 1114, array: 1115, parse: parseTimestamp }, // timestamp, read as UTC
  { oid: 1184, array: 1185, parse: parseTimestamp }, // timestamptz
  { oid: 1186, array: 1187, parse: unchanged }, // interval
  { oid: 600, array: 1017, parse: unchanged } // point
]

const textArray: number = 1009 // pg's declarations leave arrays out
const parseTextArray: Parse = pg.types.getTypeParser(textArray)

function arrayOf(parse: Parse): Parse {
  const each = (item: unknown): unknown =>
    Array.isArray(item) ? item.map(each) : item === null ? null : parse(String(item))
  return text => each(parseTextArray(text))
}

const parsers = new Map<number, Parse>(
  scalars.flatMap(({ oid, array, parse }) => [
    [oid, parse],
    [array, arrayOf(parse)]
  ])
)

/** pg's `types` option, per client, so that other users of pg in the process keep theirs. */
export const parsedTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers.get(oid)
    return own ?? pg.types.getTypeParser(oid, format as 'text')
  }
}
