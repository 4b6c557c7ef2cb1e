import { createHash } from 'node:crypto'
import type { ExportGroup, ExportGroups, ListPeriod, PublicLabels, PublicList } from '#plugins/export'
import type { SiteComponents } from '../components.ts'
import { nameOf, parseName } from './list-names.ts'
import { type KnownLists, type ListLabel, makeListPages } from './list-pages.ts'

/**
 * The lists of the export. They are cut by the calendar: what is withdrawn or added changes its own month and years, and moves
 * no other post to another page.
 */
export function createListGroups(components: SiteComponents, isOn: () => boolean): ExportGroups {
  // Files name the periods that their fingerprint was made of.
  let known: KnownLists = { periods: new Map(), labels: new Map() }
  return {
    folders: ['archive/', 'categories/', 'tags/', 'podcast/'],
    async sets(_, lists) {
      if (!isOn()) return []
      const [all, labels] = await Promise.all([lists.all(), lists.labels()])
      known = { periods: new Map(), labels: byNames(labels) }
      return all.filter(list => isShown(components, list)).map(list => setOf(known, list))
    },
    async groups(_, lists, names) {
      const periods = await lists.periods(names.map(parseName))
      for (const [name, ofList] of Map.groupBy(periods, nameOfPeriod)) known.periods.set(name, ofList)
      return names.map(name => groupsOf(known, name))
    },
    files: (db, names) => makeListPages(components, db, { lists: names.map(parseName), known })
  }
}

const nameOfPeriod = (period: ListPeriod) => nameOf(period)

const isShown = ({ hasMedia }: SiteComponents, { kind, slug }: PublicList): boolean =>
  (kind !== 'podcast' || hasMedia) && /^[a-z0-9-]*$/.test(slug)

const byNames = ({ categories, tags }: PublicLabels): Map<string, ListLabel> =>
  new Map([
    ...categories.map(
      ({ slug, name, description }) => [nameOf({ kind: 'categories', slug }), { name, description }] as const
    ),
    ...tags.map(({ slug, name }) => [nameOf({ kind: 'tags', slug }), { name, description: '' }] as const)
  ])

function saidOf({ labels }: KnownLists, name: string): string {
  const label = labels.get(name)
  return label === undefined ? '' : `${label.name}\n${label.description}`
}

function setOf(known: KnownLists, list: PublicList): ExportGroup {
  const name = nameOf(list)
  return { name, fingerprint: hashOf([saidOf(known, name), `${list.posts} ${list.hash}`]) }
}

/** The first page of a list, and its periods. */
function groupsOf(known: KnownLists, name: string): ExportGroup[] {
  const said = saidOf(known, name)
  const periods = known.periods.get(name) ?? []
  const hashes = periods.map(({ period, posts, hash }) => `${period} ${posts} ${hash}`)
  return [
    { name, fingerprint: hashOf([said, ...hashes]) },
    ...periods.map((row, at) => ({ name: nameOf(row, row.period), fingerprint: hashOf([said, hashes[at] ?? '']) }))
  ]
}

const hashOf = (texts: readonly string[]): string => createHash('md5').update(texts.join('\n')).digest('hex')
