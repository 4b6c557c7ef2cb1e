import path from 'node:path'
import { dateValues } from './permalink.ts'
import { sectionsOf } from './site/page-path.ts'

/** What a pattern of Hugo puts into an address. */
interface HugoPost {
  file: string
  /** Of the file, or of its folder. */
  name: string
  title: string | null
  ownSlug: string | null
  /** As the file has it; null where it has none. */
  date: string | null
}

const token = /:([a-z]+)(\[[^\]]*\])?/g

/**
 * The path that a pattern of `permalinks` stands for, such as `/:year/:slug/`. Null where it has a token that is not known here,
 * or that the post has no value for. Source: https://gohugo.io/configuration/permalinks/
 */
export function expandHugoPermalink(pattern: string, post: HugoPost): string | null {
  const values = valuesOf(post)
  let isWhole = true
  const address = pattern.replace(token, (_, name: string, range?: string) => {
    const value = range === undefined ? values.get(name) : undefined
    if (value === undefined || value === '') isWhole = false
    return value ?? ''
  })
  return isWhole ? path.posix.join('/', address) : null
}

function valuesOf({ file, name, title, ownSlug, date }: HugoPost): ReadonlyMap<string, string> {
  const { year, month, long_month, day, y_day, long_day, weekday } = dateValues(date)
  const sections = sectionsOf(file)
  const base = urlized(name)
  const values = {
    year,
    month,
    monthname: long_month,
    day,
    yearday: y_day === undefined ? undefined : String(Number(y_day)),
    weekday,
    weekdayname: long_day,
    section: sections[0],
    sections: sections.join('/'),
    title: urlized(title ?? ''),
    slug: urlized(ownSlug ?? title ?? ''),
    slugorfilename: ownSlug === null ? base : urlized(ownSlug),
    slugorcontentbasename: ownSlug === null ? base : urlized(ownSlug),
    contentbasename: base,
    filename: base
  }
  return new Map(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

/** As Hugo does it: letters and digits of any script stay, and a few signs. */
export const urlized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._#+~@\s-]+/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
