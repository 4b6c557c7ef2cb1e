import { type Changes, createCache, type Db } from '#core'
import { sitePagesCacheTag } from '../index.ts'
import { listApproved } from '../repository/approved.ts'

/** A static page that readers find. */
export interface PageLink {
  title: string
  /** Its place on the site, such as `/pages/imprint`. */
  place: string
  approved_at: string
}

/** The static pages that readers find, by their slugs. Kept in this process until they change. */
export interface ApprovedPages {
  all(): Promise<readonly PageLink[]>
  /** Those that were read since the last change; none where they were not. */
  known(): readonly PageLink[]
}

export const placeOfPage = (slug: string): string => `/pages/${slug}`

export function createApprovedPages({ db, changes }: { db: Db; changes: Changes }): ApprovedPages {
  const cache = createCache<readonly PageLink[]>({ changes, tags: [sitePagesCacheTag], maxEntries: () => 1 })
  const key = 'all'
  return {
    all: () =>
      cache.load(key, async () => {
        const rows = await listApproved(db)
        return rows.map(({ slug, title, approved_at }) => ({ title, place: placeOfPage(slug), approved_at }))
      }),
    known: () => cache.get(key) ?? []
  }
}
