const endings = /(?:ations?|ements?|ments?|ings?|edly|ness|ers?|ed|ies|es|ly|s|e|y)$/

/**
 * Cuts common English endings of a word in lower case: `caches`, `cached` and `caching` have one stem. The vectors of the
 * embedded embedder depend on it: a change needs another `embeddedModel`.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word
  // `page` as `pages`, `cats` as `cat`.
  if (word.length === 4) return /(?:[^s]s|e)$/.test(word) ? word.slice(0, 3) : word
  const cut = word.replace(endings, '')
  return cut.length >= 3 ? cut : word
}
