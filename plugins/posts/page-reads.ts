import { createBoundedMap, type Db } from '#core'
import { labelOf } from './labels.ts'
import type { ListedPosts, PublishedFilter, PublishedPages } from './published-posts.ts'
import type { Links } from './reads/links.ts'
import { postOf, summaryOf } from './reads/representation.ts'
import type { Totals } from './reads/totals.ts'
import { findCategory, findTag, listCategoriesOf } from './repository/catalogue.ts'
import { listPublic, type PublicFilter } from './repository/lists.ts'
import { findNeighbours, listNeighbourSlugs, listSlugs } from './repository/pages.ts'
import type { PostRow } from './repository/rows.ts'

export interface PageReadDeps {
  links: Links
  totals: Totals
  bySlug: { load(slug: string): Promise<PostRow | undefined> }
}

/** To transliterate a name takes longer than the rest of its link, and posts share their tags. */
const maxTagSlugs = 2000

/** What pages for readers are made of. */
export function createPageReads({ links, totals, bySlug }: PageReadDeps): PublishedPages {
  const tagSlugs = createBoundedMap<string, string>({ maxEntries: () => maxTagSlugs })
  const listed = async (db: Db, filter: PublicFilter, limit: number, offset: number): Promise<ListedPosts> => {
    const page = { limit, offset, after: null }
    const [rows, total] = await Promise.all([listPublic(db, filter, page, false), totals.ofPublic(filter)])
    return { items: rows.slice(0, limit).map(row => summaryOf(row, links)), total }
  }
  return {
    servePagesAt: links.setPages,
    async find(slug) {
      const row = await bySlug.load(slug)
      return row === undefined ? undefined : postOf(row, links)
    },
    listed: (db, { limit, offset, ...filter }) => listed(db, filterOf(filter), limit, offset),
    count: filter => totals.ofPublic(filterOf(filter)),
    category: findCategory,
    categoriesOf: listCategoriesOf,
    async tag(db, slug) {
      const name = await findTag(db, slug)
      return name === undefined ? undefined : { slug, name }
    },
    slugOfTag: name => tagSlugs.getOrCompute(name, () => labelOf(name)?.slug ?? ''),
    neighbours: findNeighbours,
    neighbourSlugs: listNeighbourSlugs,
    addresses: async (db, { limit, offset }) =>
      (await listSlugs(db, limit, offset)).map(({ slug, updated_at }) => ({ url: links.post(slug), updated_at }))
  }
}

const filterOf = ({ category, tag, medium }: PublishedFilter): PublicFilter => ({
  category,
  tag,
  media: medium === undefined ? undefined : [medium]
})
