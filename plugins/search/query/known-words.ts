import type { Token } from './analyzer.ts'
import type { TermFrequencies } from './spelling.ts'

/**
 * Those of the tokens that posts have. A term that only some languages make of a word counts where posts in these have it: French
 * makes `moon` of `moonn`, which no French post says.
 */
export async function tokensOfPosts(tokens: readonly Token[], index: TermFrequencies): Promise<Set<Token>> {
  const known = await index.frequencies(tokens.flatMap(({ terms }) => terms))
  const isOfPosts = async ({ terms, languagesOf }: Token) => {
    const found = terms.filter(term => known.has(term))
    // To look for a post in some languages may read a long list.
    if (found.some(term => !languagesOf.has(term))) return true
    for (const term of found) if ((await index.isIn?.(term, languagesOf.get(term) ?? [])) !== false) return true
    return false
  }
  const ofPosts = new Set<Token>()
  for (const token of tokens) if (await isOfPosts(token)) ofPosts.add(token)
  return ofPosts
}
