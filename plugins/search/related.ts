import type { Db, Settings } from '#core'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import type { TextLanguage } from '#text'
import { frequentTerms } from './frequent-terms.ts'
import { type Fused, fuse, type RankingWindow, startOf } from './fusion.ts'
import type { Matcher } from './matching/matching.ts'
import { findSubject, type SubjectRow } from './repository/posts.ts'
import type { SemanticSearch } from './semantic.ts'
import type { searchSettings } from './settings.ts'

/** A post like another; `score` orders. */
export type RelatedPost = PostSummary & { score: number }

export interface Related {
  /** Public posts like the public post with this slug, best first, without itself; undefined when there is none with it. */
  to(slug: string, window: RankingWindow): Promise<RelatedPosts | undefined>
  /** The `post_no` of the first of them; none when there is no public post with this slug. */
  numbersOf(slug: string, limit: number): Promise<number[]>
}

export interface RelatedPosts {
  items: RelatedPost[]
  /** Of all pages. */
  total: number
  /** Where the items stand among all: the index of the first, and the post_no of each. */
  from: number
  post_nos: number[]
  isDegraded: boolean
}

/** Terms a post is compared by: those it says most. */
const maxTerms = 40
/** So many by words: nearly every post shares some word. Those by similarity come to them. */
const maxByWords = 100
/** As much of a text as its terms are taken from, and as says what it is about. */
const textLength = 30_000
const beginningLength = 1500

interface RelatedDeps {
  db: Db
  matcher: Matcher
  semantic: SemanticSearch
  settings: Settings<typeof searchSettings>
  published: PublishedPosts
  /** What a post is indexed in. */
  languageOf: (post: { language: string | null }) => TextLanguage
}

export function createRelated(deps: RelatedDeps): Related {
  const rank = async (slug: string) => {
    const subject = await findSubject(deps.db, slug, textLength)
    return subject === undefined ? undefined : rankOthers(deps, subject)
  }
  return {
    to: async (slug, window) => {
      const ranked = await rank(slug)
      if (ranked === undefined) return undefined
      const { fused, isDegraded } = ranked
      const post_nos = fused.map(({ post_no }) => post_no)
      const from = startOf(window, post_nos)
      const items = await itemsOf(deps, fused.slice(from, from + window.limit))
      return {
        items: items.map(({ item }) => item),
        post_nos: items.map(({ post_no }) => post_no),
        total: fused.length,
        from,
        isDegraded
      }
    },
    numbersOf: async (slug, limit) => {
      const ranked = await rank(slug)
      return ranked?.fused.slice(0, limit).map(({ post_no }) => post_no) ?? []
    }
  }
}

/** All posts like one, best first. */
async function rankOthers({ matcher, semantic, settings, languageOf }: RelatedDeps, subject: SubjectRow) {
  const [{ weight }, sharing, near] = await Promise.all([
    semantic.weight(),
    matcher.moreLikeThis(frequentTerms(subject, languageOf(subject), maxTerms), maxByWords + 1),
    semantic.nearest(`${subject.title}\n\n${subject.body.slice(0, beginningLength)}`)
  ])
  const isOther = (post_no: number) => post_no !== subject.post_no
  const byWords = sharing.postNos.filter(isOther).slice(0, maxByWords)
  const minSimilarity = settings.get('search_min_similarity')
  const bySimilarity = (near ?? [])
    .filter(({ post_no, similarity }) => isOther(post_no) && (similarity >= minSimilarity || byWords.includes(post_no)))
    .map(({ post_no }) => post_no)
  return { fused: fuse(byWords, bySimilarity, weight), isDegraded: near === undefined || sharing.isIncomplete }
}

/** A post may have been withdrawn since. */
async function itemsOf({ db, published }: RelatedDeps, page: readonly Fused[]) {
  const post_nos = page.map(({ post_no }) => post_no)
  const posts = new Map((await published.byNumber(db, post_nos, 0)).map(({ post_no, post }) => [post_no, post]))
  return page.flatMap(({ post_no, score }) => {
    const post = posts.get(post_no)
    return post === undefined ? [] : [{ post_no, item: { ...post, score } }]
  })
}
