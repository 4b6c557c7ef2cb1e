/** What a pattern of Jekyll puts into an address. */
export interface PermalinkPost {
  /** As the file or its name has it, such as `2020-02-03` or `2020-02-03 14:05:00 +0100`; null where it has none. */
  date: string | null
  slug: string
  categories: readonly string[]
}

/** Jekyll's styles by their names. Source: https://jekyllrb.com/docs/permalinks/ */
const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
  none: '/:categories/:title:output_ext'
}

const placeholder = /:([a-z_]+)/g
/** As Liquid and its like write them: what they stand for is known to the generator alone. */
const template = /\{[{%]/

/**
 * The address that a `permalink` stands for: itself, a style of Jekyll by its name, or a pattern such as
 * `/blog/:year/:month/:title/`. Null where it has a placeholder that is not known here, or that the post has no value for.
 */
export function expandPermalink(permalink: string, post: PermalinkPost): string | null {
  const pattern = Object.hasOwn(styles, permalink) ? (styles[permalink] ?? '') : permalink
  if (template.test(pattern)) return null
  const values = valuesOf(post)
  let isWhole = true
  const address = pattern.replace(placeholder, (found, name: string, at: number) => {
    const value = values.get(name)
    // A colon may be part of a name, too.
    if (value === undefined && at > 0 && pattern[at - 1] !== '/') return found
    if (value === undefined) isWhole = false
    return value ?? ''
  })
  if (!isWhole) return null
  return /^https?:\/\//.test(address) ? address : `/${address}`.replace(/\/{2,}/g, '/')
}

function valuesOf({ date, slug, categories }: PermalinkPost): ReadonlyMap<string, string> {
  const { weekday: _, ...ofDate } = dateValues(date)
  const values = Object.entries({
    title: slug,
    slug: slugified(slug),
    categories: categories.map(name => name.toLowerCase()).join('/'),
    slugified_categories: categories.map(slugified).join('/'),
    collection: 'posts',
    output_ext: '.html',
    ...ofDate
  })
  return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** As Jekyll does it: letters and digits of any script stay. */
const slugified = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const written = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?/

/** In the zone that the date is written in. */
export function dateValues(date: string | null): Readonly<Partial<Record<string, string>>> {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = written.exec(date ?? '') ?? []
  if (year === undefined) return {}
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' }).format(at)
  const dayOfYear = (at.getTime() - Date.UTC(Number(year), 0, 1)) / 86_400_000 + 1
  return {
    year,
    short_year: year.slice(2),
    month: padded(month),
    i_month: String(Number(month)),
    short_month: name({ month: 'short' }),
    long_month: name({ month: 'long' }),
    day: padded(day),
    i_day: String(Number(day)),
    y_day: padded(dayOfYear, 3),
    short_day: name({ weekday: 'short' }),
    long_day: name({ weekday: 'long' }),
    weekday: String(at.getUTCDay()),
    ...weekValues(at),
    hour: padded(hour),
    minute: padded(minute),
    second: padded(second)
  }
}

/** Of the week by ISO 8601: that of its Thursday. */
function weekValues(at: Date): { w_year: string; week: string; w_day: string } {
  const weekday = at.getUTCDay() || 7
  const thursday = new Date(at.getTime() + (4 - weekday) * 86_400_000)
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) + 1
  return { w_year: String(year), week: padded(week), w_day: String(weekday) }
}

const padded = (value: string | number | undefined, width = 2): string => String(Number(value)).padStart(width, '0')
