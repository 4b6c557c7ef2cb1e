import { createHash } from 'node:crypto'
import type { Queryable } from '#core'
import type { ExportFile, ExportGroup, ExportGroups } from '#plugins/export'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import type { SiteParts } from '../parts.ts'
import { partView } from '../reads/lists.ts'
import type { ReadSite } from '../reads/site.ts'
import { type ListOf, listNumbers, listPeriods, type PeriodRow } from '../repository/periods.ts'
import type { MenuLink, PartView, SiteView } from '../views.ts'
import { htmlFile } from './post-pages.ts'
import { readStaticSite } from './static-site.ts'

/** On one page of a month in the archive, where a post takes one line; and of a year of another list. */
const maxLines = 500
const maxEntries = 100

/**
 * The lists of the export. They are cut by the calendar: what is withdrawn or added changes its own month and years, and moves
 * no other post to another page.
 */
export function createListGroups(parts: SiteParts, isOn: () => boolean): ListGroups {
  // The queries count all posts. Files name the periods that their fingerprint was made of.
  let latest: Lists = new Map()
  let unused: Labels | undefined
  return {
    folders: ['archive/', 'categories/', 'tags/', 'podcast/'],
    async all(db) {
      if (!isOn()) return []
      latest = await readLists(parts, db)
      unused = await readLabels(parts, db)
      return listGroups(latest, unused)
    },
    async labels(db) {
      const labels = unused ?? (await readLabels(parts, db))
      unused = undefined
      return labels
    },
    async files(db, name) {
      const list = parseName(name)
      return list.period === undefined
        ? indexFiles(parts, db, { list, periods: latest.get(nameOf(list)) ?? [] })
        : periodFiles(parts, db, { ...list, period: list.period })
    }
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
type Lists = ReadonlyMap<string, readonly PeriodRow[]>

/** `2026`, or `2026-11`. */
const periodName = (period: number): string =>
  period > 9999 ? `${Math.floor(period / 100)}-${String(period % 100).padStart(2, '0')}` : String(period)

const nameOf = ({ kind, slug }: ListOf, period?: number): string =>
  [kind, ...(slug === '' ? [] : [slug]), ...(period === undefined ? [] : [periodName(period)])].join('/')

interface NamedList extends ListOf {
  period?: number
}

function parseName(name: string): NamedList {
  const [kind = '', ...rest] = name.split('/')
  if (kind === 'archive' || kind === 'podcast') return { kind, slug: '', ...periodOf(rest[0]) }
  if (kind === 'categories' || kind === 'tags') return { kind, slug: rest[0] ?? '', ...periodOf(rest[1]) }
  throw new TypeError(`${name} is no list of the site.`)
}

const periodOf = (text: string | undefined): { period?: number } =>
  text === undefined ? {} : { period: Number(text.replace('-', '')) }

/** The lists by their names, each with its periods. */
async function readLists({ timeZone, hasMedia }: SiteParts, db: Queryable): Promise<Lists> {
  const rows = await listPeriods(db, timeZone())
  const isShown = ({ kind, slug }: ListOf) => (kind !== 'podcast' || hasMedia) && /^[a-z0-9-]*$/.test(slug)
  return Map.groupBy(rows.filter(isShown), row => nameOf(row))
}

function listGroups(lists: Lists, { categories, tags }: Labels): ExportGroup[] {
  const about = new Map([
    ...categories.map(
      ({ slug, name, description }) => [nameOf({ kind: 'categories', slug }), `${name}\n${description}`] as const
    ),
    ...tags.map(({ slug, name }) => [nameOf({ kind: 'tags', slug }), name] as const)
  ])
  return [...lists].flatMap(([name, periods]) => {
    const said = about.get(name) ?? ''
    const hashes = periods.map(({ period, posts, hash }) => `${period} ${posts} ${hash}`)
    return [
      { name, fingerprint: hashOf([said, ...hashes]) },
      ...periods.map((row, at) => ({ name: nameOf(row, row.period), fingerprint: hashOf([said, hashes[at] ?? '']) }))
    ]
  })
}

const hashOf = (texts: readonly string[]): string => createHash('md5').update(texts.join('\n')).digest('hex')

/** The newest posts of a list, with links to its periods. */
async function indexFiles(
  parts: SiteParts,
  db: Queryable,
  { list, periods }: { list: ListOf; periods: readonly PeriodRow[] }
): Promise<ExportFile[]> {
  const read = await readStaticSite(parts)
  const site = read.view
  const limit = list.kind === 'archive' ? maxLines / 5 : parts.settings.get('site_posts_per_page')
  const posts = await postsOf(parts, db, list, { limit })
  const total = periods.reduce((sum, row) => sum + row.posts, 0)
  const place = `/${nameOf(list)}`
  const others = total > posts.length ? periods.map(({ period }) => linkTo(site, place, period)) : []
  const part: PartView = { posts, total, page: 1, pages: 1, url: site.path(place), newer: null, older: null, others }
  const page = await pageOf(parts, db, { read, list, part })
  return page === null ? [] : [htmlFile(`${nameOf(list)}/index.html`, page)]
}

const linkTo = (site: SiteView, place: string, period: number): MenuLink => {
  const name = periodName(period)
  return { label: period > 9999 ? site.month(`${name}-15T12:00:00Z`) : name, url: site.path(`${place}/${name}`) }
}

/** The posts of a list in a period. */
async function periodFiles(parts: SiteParts, db: Queryable, list: Required<NamedList>): Promise<ExportFile[]> {
  const read = await readStaticSite(parts)
  const site = read.view
  const size = list.kind === 'archive' ? maxLines : maxEntries
  const { period } = list
  const numbers = await listNumbers(db, list, { period, timeZone: parts.timeZone() })
  const pages = Math.ceil(numbers.length / size)
  const place = `/${nameOf(list, period)}`
  const urlOf = (page: number) => site.path(page === 1 ? place : `${place}/${page}`)
  const files: ExportFile[] = []
  for (let page = 1; page <= pages; page++) {
    const posts = await summariesOf(parts, db, numbers.slice((page - 1) * size, page * size))
    const all = { label: site.text('newer'), url: site.path(`/${nameOf(list)}`) }
    const part: PartView = { ...partView({ page, size, total: numbers.length, urlOf }), posts, others: [all] }
    const html = await pageOf(parts, db, { read, list, part })
    const folder = page === 1 ? place : `${place}/${page}`
    if (html !== null) files.push(htmlFile(`${folder.slice(1)}/index.html`, html))
  }
  return files
}

async function postsOf(
  parts: SiteParts,
  db: Queryable,
  list: ListOf,
  { limit }: { limit: number }
): Promise<PostSummary[]> {
  return summariesOf(parts, db, await listNumbers(db, list, { timeZone: parts.timeZone(), limit }))
}

/** In the order of the numbers. */
async function summariesOf(
  { published }: SiteParts,
  db: Queryable,
  numbers: readonly number[]
): Promise<PostSummary[]> {
  const found = new Map((await published.byNumber(db, numbers, 0)).map(({ post_no, post }) => [post_no, post]))
  return numbers.flatMap(post_no => found.get(post_no) ?? [])
}

/** Null for a list that is gone by now. */
async function pageOf(
  { published, themes }: SiteParts,
  db: Queryable,
  { read: { data }, list: { kind, slug }, part }: { read: ReadSite; list: ListOf; part: PartView }
): Promise<string | null> {
  if (kind === 'archive' || kind === 'podcast') return (await themes.render(kind, data, { part })).html
  const isTag = kind === 'tags'
  const label = isTag ? await published.tag(db, slug) : await published.category(db, slug)
  if (label === undefined) return null
  const about = { description: '', ...label, kind: isTag ? 'tag' : 'category', part } as const
  return (await themes.render('label', data, about)).html
}
