import { isUuid } from '#core'
import type { SimilarPosts } from '#plugins/posts'
import type { TextLanguage } from '#text'
import type { Matcher } from '../matching/matching.ts'
import { analyzeIn } from '../query/analyzer.ts'
import { listCompared } from '../repository/titles.ts'
import { findDuplicates } from './near-duplicates.ts'
import { nearestByShingles, shinglesOf } from './shingles.ts'
import { createTitles, type Titles, type TitlesDeps } from './titles.ts'

/** So many posts that share words with the title, and so many nearest by vectors, are compared word by word. */
const maxCompared = 10
const maxTextLength = 2000

export interface Similar extends SimilarPosts {
  embedTitles: Titles['embed']
  embedAllTitles: Titles['embedAll']
}

interface SimilarDeps extends TitlesDeps {
  /** Those that posts are indexed in. */
  languages: () => Promise<readonly TextLanguage[]>
  matcher: Matcher
}

/** Finds published posts like a text. */
export function createSimilar(deps: SimilarDeps): Similar {
  const titles = createTitles(deps)
  return {
    embedTitles: titles.embed,
    embedAllTitles: titles.embedAll,
    nearestTitle: titles.nearest,
    nearestText: async (title, content) => {
      const post_ids = await nearestByVectors(deps, title, content)
      const post_nos = await sharingWords(deps, title)
      return nearestByShingles(await listCompared(deps.db, post_nos, post_ids), shinglesOf(content))
    },
    nearestOf: (content, posts) => nearestByShingles(posts, shinglesOf(content)),
    findDuplicates
  }
}

/** Numbers of the posts that share most words with a title. */
async function sharingWords({ languages, matcher }: SimilarDeps, title: string): Promise<number[]> {
  const terms = analyzeIn(await languages(), title).flatMap(token => token.terms.map(term => ({ term, weight: 1 })))
  return (await matcher.moreLikeThis(terms, maxCompared)).postNos
}

/** Ids of the posts nearest to the beginning of a text; none without a memory. */
async function nearestByVectors({ memory }: SimilarDeps, title: string, content: string): Promise<string[]> {
  const beginning = `${title}\n\n${content.slice(0, maxTextLength)}`
  const near = await memory?.nearest('posts', beginning, maxCompared)
  // Entries of `posts` may be stored by hand under any id.
  return near?.items.map(({ source_id }) => source_id).filter(isUuid) ?? []
}
