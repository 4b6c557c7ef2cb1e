import type { Queryable } from '#core'
import type { ExportFile, ListPeriod } from '#plugins/export'
import type { SiteComponents } from '../components.ts'
import { partView } from '../reads/lists.ts'
import type { ReadSite } from '../reads/site.ts'
import { type Excerpt, type ExcerptSource, listNumbers } from '../repository/periods.ts'
import type { RenderedPage } from '../themes/themes.ts'
import type { ListedPost, MenuLink, PartView, SiteView } from '../views.ts'
import { type NamedList, nameOf, periodName } from './list-names.ts'
import { htmlFile, listMark, picturedByNumber } from './post-pages.ts'
import { readStaticSite } from './static-site.ts'

/** On one page of a month in the archive, where a post takes one line; and of a year of another list. */
const maxLines = 500
const maxEntries = 100
/** Posts in memory together. */
const postsAtOnce = 1000

/** A category or a tag. */
export interface ListLabel {
  name: string
  description: string
}

/** What was known of lists when their fingerprints were made, by their names. */
export interface KnownLists {
  periods: Map<string, readonly ListPeriod[]>
  labels: ReadonlyMap<string, ListLabel>
}

/** One page of a list. It counts from 1. */
interface ListPage {
  /** The place of its list among those that were asked for. */
  at: number
  list: NamedList
  page: number
  size: number
  /** Of the list. */
  total: number
  post_nos: readonly number[]
}

/** The pages of each of these lists. A few statements are made for all. */
export async function makeListPages(
  components: SiteComponents,
  db: Queryable,
  { lists, known }: { lists: readonly NamedList[]; known: KnownLists }
): Promise<ExportFile[][]> {
  const read = await readStaticSite(components)
  const numbers = await readNumbers(components, db, { lists, known })
  const pages = lists.flatMap((list, at) => pagesOf(known, { at, list, post_nos: numbers[at] ?? [] }))
  const files: ExportFile[][] = lists.map(() => [])
  for (const some of batchesOf(pages)) {
    const { posts, isComplete } = await picturedByNumber(components, db, new Set(some.flatMap(page => page.post_nos)))
    for (const page of some) {
      const part = partOf(read.view, page, { posts: page.post_nos.flatMap(each => posts.get(each) ?? []), known })
      const made = await renderPage(components, { read, page, part, known })
      if (made === null) continue
      const path = `${folderOf(page)}/index.html`
      files[page.at]?.push(htmlFile(path, made.html + listMark, made.isComplete && isComplete))
    }
  }
  return files
}

/** A statement for each kind of list. */
async function readNumbers(
  components: SiteComponents,
  db: Queryable,
  { lists, known }: { lists: readonly NamedList[]; known: KnownLists }
): Promise<number[][]> {
  const found: number[][] = []
  const timeZone = components.timeZone()
  for (const [source, listed] of Map.groupBy(lists.entries(), ([, list]) => sourceOf(known, list))) {
    const excerpts = listed.map(([, list]) => excerptOf(components, list))
    const numbers = await listNumbers(db, source, { excerpts, timeZone })
    for (const [place, [at]] of listed.entries()) found[at] = numbers[place] ?? []
  }
  return found
}

const maxRarePosts = 2_000

function sourceOf(known: KnownLists, { kind, slug }: NamedList): ExcerptSource {
  return kind === 'tags' && totalOf(known, { kind, slug }) <= maxRarePosts ? 'rare tags' : kind
}

const totalOf = ({ periods }: KnownLists, list: Pick<NamedList, 'kind' | 'slug'>): number =>
  (periods.get(nameOf(list)) ?? []).reduce((sum, { posts }) => sum + posts, 0)

const noLimit = 2 ** 31 - 1

function excerptOf({ settings }: SiteComponents, { kind, slug, period }: NamedList): Excerpt {
  if (period !== undefined) return { slug, period, limit: noLimit }
  return { slug, period: null, limit: kind === 'archive' ? maxLines / 5 : settings.get('site_posts_per_page') }
}

/** The first page of a list has the newest posts, and links to its periods. */
function pagesOf(
  known: KnownLists,
  { at, list, post_nos }: { at: number; list: NamedList; post_nos: readonly number[] }
): ListPage[] {
  if (list.period === undefined) {
    return [{ at, list, page: 1, size: post_nos.length, total: totalOf(known, list), post_nos }]
  }
  const size = list.kind === 'archive' ? maxLines : maxEntries
  const total = post_nos.length
  return Array.from({ length: Math.ceil(total / size) }, (_, place) => ({
    at,
    list,
    page: place + 1,
    size,
    total,
    post_nos: post_nos.slice(place * size, (place + 1) * size)
  }))
}

function* batchesOf(pages: readonly ListPage[]): Generator<ListPage[]> {
  let some: ListPage[] = []
  let posts = 0
  for (const page of pages) {
    if (some.length > 0 && posts + page.post_nos.length > postsAtOnce) {
      yield some
      some = []
      posts = 0
    }
    some.push(page)
    posts += page.post_nos.length
  }
  if (some.length > 0) yield some
}

const folderOf = ({ list, page }: Pick<ListPage, 'list' | 'page'>): string =>
  nameOf(list, list.period) + (page === 1 ? '' : `/${page}`)

function partOf(
  site: SiteView,
  { list, page, size, total }: ListPage,
  { posts, known }: { posts: ListedPost[]; known: KnownLists }
): PartView {
  const urlOf = (page: number) => site.path(`/${folderOf({ list, page })}`)
  if (list.period !== undefined) {
    const all = { label: site.text('newer'), url: site.path(`/${nameOf(list)}`) }
    return { ...partView({ page, size, total, urlOf }), posts, others: [all] }
  }
  const periods = total > posts.length ? (known.periods.get(nameOf(list)) ?? []) : []
  const others = periods.map(({ period }) => linkTo(site, `/${nameOf(list)}`, period))
  return { posts, total, page: 1, pages: 1, url: urlOf(1), newer: null, older: null, others }
}

function linkTo(site: SiteView, place: string, period: number): MenuLink {
  const name = periodName(period)
  return { label: period > 9999 ? site.month(`${name}-15T12:00:00Z`) : name, url: site.path(`${place}/${name}`) }
}

/** Null for a list without a name: it was not there when the names were read. */
async function renderPage(
  { themes }: SiteComponents,
  { read, page, part, known }: { read: ReadSite; page: ListPage; part: PartView; known: KnownLists }
): Promise<RenderedPage | null> {
  const { data } = read
  const { kind, slug } = page.list
  if (kind === 'archive' || kind === 'podcast') return themes.render(kind, data, { part })
  const label = known.labels.get(nameOf({ kind, slug }))
  if (label === undefined) return null
  const about = { ...label, slug, kind: kind === 'tags' ? 'tag' : 'category', part } as const
  return themes.render('label', data, about)
}
