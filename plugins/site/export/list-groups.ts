import { createHash } from 'node:crypto'
import type { ExportGroup, ExportGroups, ListPeriod, PublicLabels } from '#plugins/export'
import type { SiteParts } from '../parts.ts'
import { nameOf, parseName } from './list-names.ts'
import { type KnownLists, type ListLabel, makeListPages } from './list-pages.ts'

/**
 * The lists of the export. They are cut by the calendar: what is withdrawn or added changes its own month and years, and moves
 * no other post to another page.
 */
export function createListGroups(parts: SiteParts, isOn: () => boolean): ExportGroups {
  // Files name the periods that their fingerprint was made of.
  let known: KnownLists = { periods: new Map(), labels: new Map() }
  return {
    folders: ['archive/', 'categories/', 'tags/', 'podcast/'],
    async all(_, lists) {
      if (!isOn()) return []
      const periods = byList(parts, await lists.periods())
      known = { periods, labels: byNames(await lists.labels()) }
      return listGroups(known)
    },
    files: (db, names) => makeListPages(parts, db, { lists: names.map(parseName), known })
  }
}

/** The periods of the lists, by their names. */
function byList({ hasMedia }: SiteParts, periods: readonly ListPeriod[]): Map<string, ListPeriod[]> {
  const isShown = ({ kind, slug }: ListPeriod) => (kind !== 'podcast' || hasMedia) && /^[a-z0-9-]*$/.test(slug)
  return Map.groupBy(periods.filter(isShown), period => nameOf(period))
}

const byNames = ({ categories, tags }: PublicLabels): Map<string, ListLabel> =>
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
