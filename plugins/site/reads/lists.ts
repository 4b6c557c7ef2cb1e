import { type Db, NotFoundError, type Settings } from '#core'
import type { PictureSizes } from '#plugins/media'
import type { PublishedFilter, PublishedPosts } from '#plugins/posts'
import type { siteSettings } from '../settings.ts'
import type { PartView } from '../views.ts'
import { withPictures } from './pictured.ts'

/** On one page of the archive, where a post takes one line. */
const archivePageSize = 200

interface ListDeps {
  db: Db
  published: PublishedPosts
  settings: Settings<typeof siteSettings>
  sizes: PictureSizes | undefined
}

/** The address of a part of a list; parts count from 1. */
type UrlOf = (page: number) => string

/** `isComplete` false: a picture is not known yet. */
interface ReadPart {
  part: PartView
  isComplete: boolean
}

/** Posts in parts, as pages show them. */
export interface Lists {
  /** @throws NotFoundError for a page past the end. The first is there even without posts. */
  part(filter: PublishedFilter, page: number, urlOf: UrlOf): Promise<ReadPart>
  /** Without pictures. */
  archive(page: number, urlOf: UrlOf): Promise<PartView>
}

export function createLists({ db, published, settings, sizes }: ListDeps): Lists {
  const partOf = async (filter: PublishedFilter, page: number, size: number, urlOf: UrlOf) => {
    const { items, total } = await published.listed(db, { ...filter, limit: size, offset: (page - 1) * size })
    return { ...partView({ page, size, total, urlOf }), posts: items }
  }
  return {
    part: async (filter, page, urlOf) => {
      const part = await partOf(filter, page, settings.get('site_posts_per_page'), urlOf)
      const { posts, isComplete } = await withPictures(part.posts, sizes)
      return { part: { ...part, posts }, isComplete }
    },
    archive: (page, urlOf) => partOf({}, page, archivePageSize, urlOf)
  }
}

interface PartRequest {
  page: number
  size: number
  total: number
  urlOf: UrlOf
}

/** Where a part stands in its list. @throws NotFoundError past the end */
export function partView({ page, size, total, urlOf }: PartRequest): Omit<PartView, 'posts'> {
  const pages = Math.max(1, Math.ceil(total / size))
  if (page > pages) throw new NotFoundError(`There is no page ${page} of this list: it has ${pages}.`)
  return {
    total,
    page,
    pages,
    url: urlOf(page),
    newer: page > 1 ? urlOf(page - 1) : null,
    older: page < pages ? urlOf(page + 1) : null
  }
}

/** The addresses of the parts of a list; the first is the list's own. */
export const numbered = (path: string, query: Readonly<Record<string, string>> = {}): UrlOf => {
  const own = new URLSearchParams(query).toString()
  return page => {
    const parameters = page === 1 ? own : new URLSearchParams({ ...query, page: String(page) }).toString()
    return parameters === '' ? path : `${path}?${parameters}`
  }
}
