import type { ListOf } from '../repository/periods.ts'

/** A list, or the part of it in a period: a year, or a month as 202611. */
export interface NamedList extends ListOf {
  period?: number
}

/** `2026`, or `2026-11`. */
export const periodName = (period: number): string =>
  period > 9999 ? `${Math.floor(period / 100)}-${String(period % 100).padStart(2, '0')}` : String(period)

/** The folder of a list: `tags/moon/2026`. It is also the name of its group. */
export const nameOf = ({ kind, slug }: ListOf, period?: number): string =>
  [kind, ...(slug === '' ? [] : [slug]), ...(period === undefined ? [] : [periodName(period)])].join('/')

/** @throws TypeError for what names no list */
export function parseName(name: string): NamedList {
  const [kind = '', ...rest] = name.split('/')
  if (kind === 'archive' || kind === 'podcast') return { kind, slug: '', ...periodField(rest[0]) }
  if (kind === 'categories' || kind === 'tags') return { kind, slug: rest[0] ?? '', ...periodField(rest[1]) }
  throw new TypeError(`${name} is no list of the site.`)
}

const periodField = (text: string | undefined): { period?: number } =>
  text === undefined ? {} : { period: Number(text.replace('-', '')) }
