import type { Db, Settings } from '#core'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import { beginningOf, fuse, type RankingPart } from './fusion.ts'
import type { Matcher } from './matching.ts'
import { findSubject } from './repository/search.ts'
import type { Meaning } from './semantic.ts'
import type { searchSettings } from './settings.ts'

/** A post like another; `score` orders. */
export type RelatedPost = PostSummary & { score: number }

export interface Related {
  /** Public posts like the public post with this slug, best first, without itself; undefined when there is none with it. */
  to(slug: string, part: RankingPart): Promise<RelatedPosts | undefined>
}

export interface RelatedPosts {
  items: RelatedPost[]
  /** Of all pages. */
  total: number
  /** Where the items stand among all: the first of them, and the post_no of each. */
  from: number
  post_nos: number[]
  isDegraded: boolean
}

/** Terms a post is compared by: those it says most. */
const comparedTerms = 40
/** So many by words: nearly every post shares some word. Those by meaning come to them. */
const mostByWords = 100
/** As much of a text as says what it is about. */
const comparedText = 1500

export interface RelatedDeps {
  db: Db
  matcher: Matcher
  meaning: Meaning
  settings: Settings<typeof searchSettings>
  published: PublishedPosts
}

export function createRelated({ db, matcher, meaning, settings, published }: RelatedDeps): Related {
  return {
    to: async (slug, part) => {
      const subject = await findSubject(db, slug, comparedTerms, comparedText)
      if (subject === undefined) return undefined
      const [{ weight }, byWords, near] = await Promise.all([
        meaning.weight(),
        matcher.alike(subject.terms, mostByWords + 1),
        meaning.nearest(`${subject.title}\n\n${subject.beginning}`)
      ])
      const isOther = (post_no: number) => post_no !== subject.post_no
      const shared = byWords.filter(isOther).slice(0, mostByWords)
      const least = settings.get('search_min_similarity')
      const byMeaning = (near ?? [])
        .filter(({ post_no, similarity }) => isOther(post_no) && (similarity >= least || shared.includes(post_no)))
        .map(({ post_no }) => post_no)
      const fused = fuse(shared, byMeaning, weight)
      const post_nos = fused.map(({ post_no }) => post_no)
      const from = beginningOf(part, post_nos)
      const page = fused.slice(from, from + part.limit)
      const rows = await published.byNumber(db, post_nos.slice(from, from + part.limit), 0)
      const byNo = new Map(rows.map(row => [row.post_no, row]))
      // A post may have been withdrawn since.
      const found = page.flatMap(({ post_no, score }) => {
        const row = byNo.get(post_no)
        return row === undefined ? [] : [{ post_no, item: { ...row.post, score } }]
      })
      return {
        items: found.map(({ item }) => item),
        post_nos: found.map(({ post_no }) => post_no),
        total: fused.length,
        from,
        isDegraded: near === undefined
      }
    }
  }
}
