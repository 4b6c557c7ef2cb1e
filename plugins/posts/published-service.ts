import type { Queryable, Settings } from '#core'
import { type Page, type PageRequest, toPage } from '#lists'
import type { FeedFormat } from './feeds/addresses.ts'
import { type FeedDeps, readFeed } from './feeds/read-feed.ts'
import type { PostSummary, PublishedPosts, Revised } from './index.ts'
import { createPageReads, type PageReadDeps } from './page-reads.ts'
import type { Links } from './reads/links.ts'
import type { NextPublication } from './reads/next-publication.ts'
import { cursorOf, postPage, publicRead } from './reads/pages.ts'
import { postOf, summaryOf } from './reads/representation.ts'
import { listCategories, listTags } from './repository/catalogue.ts'
import { findCurrentSlug, listPublicIds } from './repository/ids.ts'
import { type ListedRow, listPublic } from './repository/lists.ts'
import { findPublicSlug, listByNumber, listTexts } from './repository/reads.ts'
import type { postSettings } from './settings.ts'

const labelsAtOnce = 1000

interface PublishedPostsDeps extends PageReadDeps {
  settings: Settings<typeof postSettings>
  nextPublication: NextPublication
  hub: FeedDeps['hub']
}

/** What other plugins show of the public posts. */
export function createPublishedPosts(deps: PublishedPostsDeps): PublishedPosts {
  const { settings, links, totals, nextPublication } = deps
  const listOf = async (db: Queryable, media: readonly string[], page: PageRequest): Promise<Page<PostSummary>> => {
    const filter = { media }
    const [rows, total] = await Promise.all([listPublic(db, filter, page, false), totals.ofPublic(filter)])
    const { items, ...rest } = toPage(rows, page, total, cursorOf)
    return { items: items.map(row => summaryOf(row, links)), ...rest }
  }
  return {
    ...createPageReads(deps),
    pages: (db, size) => pagesOf(db, size, links),
    texts: async (db, post_ids) =>
      (await listTexts(db, post_ids)).map(row => ({ post: postOf(row, links), revision: row.revision })),
    listWithMedia: (db, media, { identity, ...query }) => listOf(db, media, postPage(query, identity)),
    byNumber: async (db, post_nos, textLength) =>
      (await listByNumber(db, post_nos, textLength)).map(({ post_no, content, ...row }) => ({
        post_no,
        post: summaryOf(row, links),
        revision: row.revision,
        beginning: content
      })),
    settingsKey: () => `${links.home()} ${links.siteLanguage()} ${settings.get('former_public_urls')}`.trimEnd(),
    withPictures: links.withPictures,
    site: () => ({
      title: settings.get('site_title'),
      description: settings.get('site_description'),
      language: links.siteLanguage(),
      home: links.home()
    }),
    addressOf: links.post,
    isPublic: async (db, post_id) => (await findPublicSlug(db, post_id)) !== undefined,
    findSlug: findPublicSlug,
    idsOf: async (db, slugs) => new Map((await listPublicIds(db, slugs)).map(({ slug, post_id }) => [slug, post_id])),
    findCurrentSlug,
    cacheRule: (...tags) => publicRead(nextPublication, ...tags).cache,
    categories: async db =>
      (await allLabels(page => listCategories(db, page))).map(({ slug, name, description, post_count }) => ({
        slug,
        name,
        description,
        post_count
      })),
    tags: async db =>
      (await allLabels(page => listTags(db, page))).map(({ slug, name, post_count }) => ({ slug, name, post_count })),
    feedXml: db => feedText(db, deps, 'rss'),
    feedJson: db => feedText(db, deps, 'json')
  }
}

const feedText = async (db: Queryable, deps: PublishedPostsDeps, format: FeedFormat): Promise<string> =>
  (await readFeed(db, deps, format))?.text ?? ''

async function* pagesOf(db: Queryable, size: number, links: Links): AsyncGenerator<Revised<PostSummary>[]> {
  let after: PageRequest['after'] = null
  do {
    const rows: ListedRow[] = await listPublic(db, {}, { limit: size, offset: 0, after }, false)
    // One row more than the page tells that there is a next one.
    const page = rows.slice(0, size)
    if (page.length > 0) yield page.map(row => ({ post: summaryOf(row, links), revision: row.revision }))
    const last = page.at(-1)
    after = rows.length > size && last !== undefined ? cursorOf(last) : null
  } while (after !== null)
}

async function allLabels<Row extends { slug: string }>(read: (page: PageRequest) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for (let after: string | undefined; ; ) {
    const rows = await read({ limit: labelsAtOnce, offset: 0, after: after === undefined ? null : [after] })
    all.push(...rows.slice(0, labelsAtOnce))
    if (rows.length <= labelsAtOnce) return all
    after = all.at(-1)?.slug
  }
}
