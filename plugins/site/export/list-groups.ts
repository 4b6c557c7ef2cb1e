import { createHash } from 'node:crypto'
import type { Queryable } from '#core'
import type { ExportGroup, ExportGroups } from '#plugins/export'
import type { PublishedPosts } from '#plugins/posts'
import type { SiteParts } from '../parts.ts'
import { type ListOf, listPeriods, type PeriodRow } from '../repository/periods.ts'
import { nameOf, parseName } from './list-names.ts'
import { type KnownLists, type ListLabel, makeListPages } from './list-pages.ts'

/**
 * The lists of the export. They are cut by the calendar: what is withdrawn or added changes its own month and years, and moves
 * no other post to another page.
 */
export function createListGroups(parts: SiteParts, isOn: () => boolean): ListGroups {
  // The queries count all posts. Files name the periods that their fingerprint was made of.
  let known: KnownLists = { periods: new Map(), labels: new Map() }
  let unused: Labels | undefined
  return {
    folders: ['archive/', 'categories/', 'tags/', 'podcast/'],
    async all(db) {
      if (!isOn()) return []
      const periods = await readLists(parts, db)
      unused = await readLabels(parts, db)
      known = { periods, labels: byNames(unused) }
      return listGroups(known)
    },
    async labels(db) {
      const labels = unused ?? (await readLabels(parts, db))
      unused = undefined
      return labels
    },
    files: (db, names) => makeListPages(parts, db, { lists: names.map(parseName), known })
  }
}

export interface ListGroups extends ExportGroups {
  /** Those that the groups were made of, once; else as they are now. */
  labels(db: Queryable): Promise<Labels>
}

/** The categories and tags of public posts. */
export interface Labels {
  categories: Awaited<ReturnType<PublishedPosts['categories']>>
  tags: Awaited<ReturnType<PublishedPosts['tags']>>
}

async function readLabels({ published }: SiteParts, db: Queryable): Promise<Labels> {
  const [categories, tags] = await Promise.all([published.categories(db), published.tags(db)])
  return { categories, tags }
}

/** The periods of the lists, by their names. */
async function readLists({ timeZone, hasMedia }: SiteParts, db: Queryable): Promise<Map<string, PeriodRow[]>> {
  const rows = await listPeriods(db, timeZone())
  const isShown = ({ kind, slug }: ListOf) => (kind !== 'podcast' || hasMedia) && /^[a-z0-9-]*$/.test(slug)
  return Map.groupBy(rows.filter(isShown), row => nameOf(row))
}

const byNames = ({ categories, tags }: Labels): Map<string, ListLabel> =>
  new Map([
    ...categories.map(
      ({ slug, name, description }) => [nameOf({ kind: 'categories', slug }), { name, description }] as const
    ),
    ...tags.map(({ slug, name }) => [nameOf({ kind: 'tags', slug }), { name, description: '' }] as const)
  ])

function listGroups({ periods: lists, labels }: KnownLists): ExportGroup[] {
  return [...lists].flatMap(([name, periods]) => {
    const label = labels.get(name)
    const said = label === undefined ? '' : `${label.name}\n${label.description}`
    const hashes = periods.map(({ period, posts, hash }) => `${period} ${posts} ${hash}`)
    return [
      { name, fingerprint: hashOf([said, ...hashes]) },
      ...periods.map((row, at) => ({ name: nameOf(row, row.period), fingerprint: hashOf([said, hashes[at] ?? '']) }))
    ]
  })
}

const hashOf = (texts: readonly string[]): string => createHash('md5').update(texts.join('\n')).digest('hex')
