import type { Db, Settings } from '#core'
import type { Links } from '../links.ts'
import { findSubject, listFound } from '../repository/search.ts'
import { type PostSummary, summaryOf } from '../representation.ts'
import type { postSettings } from '../settings.ts'
import { fuse } from './fusion.ts'
import type { Matcher } from './matching.ts'
import type { Meaning } from './meaning.ts'

/** A post like another; `score` orders. */
export type RelatedPost = PostSummary & { score: number }

export interface Related {
  /** Public posts like the public post with this slug, best first, without itself; undefined when there is none with it. */
  to(slug: string, limit: number): Promise<{ items: RelatedPost[]; isDegraded: boolean } | undefined>
}

/** Terms a post is compared by: those it says most. */
const comparedTerms = 40
/** As much of a text as says what it is about. */
const comparedText = 1500

export interface RelatedDeps {
  db: Db
  matcher: Matcher
  meaning: Meaning
  settings: Settings<typeof postSettings>
  links: Links
}

export function createRelated({ db, matcher, meaning, settings, links }: RelatedDeps): Related {
  return {
    to: async (slug, limit) => {
      const subject = await findSubject(db, slug, comparedTerms, comparedText)
      if (subject === undefined) return undefined
      const wanted = limit * 3 + 1
      const [{ weight }, byWords, near] = await Promise.all([
        meaning.weight(),
        matcher.alike(subject.terms, wanted),
        meaning.nearest(`${subject.title}\n\n${subject.beginning}`)
      ])
      const isOther = (post_no: number) => post_no !== subject.post_no
      const shared = byWords.filter(isOther)
      const least = settings.get('search_min_similarity')
      const byMeaning = (near ?? [])
        .filter(({ post_no, similarity }) => isOther(post_no) && (similarity >= least || shared.includes(post_no)))
        .map(({ post_no }) => post_no)
      const fused = fuse(shared, byMeaning, weight).slice(0, limit)
      const rows = await listFound(
        db,
        fused.map(({ post_no }) => post_no),
        0
      )
      const byNo = new Map(rows.map(row => [row.post_no, row]))
      const items = fused.flatMap(({ post_no, score }) => {
        const row = byNo.get(post_no)
        return row === undefined ? [] : [{ ...summaryOf(row, links), score }]
      })
      return { items, isDegraded: near === undefined }
    }
  }
}
