// More than anybody asks for.
const maxWords = 40

/** Of each word; the rest of what has a frequent word is not looked at. */
export const maxPassagesScanned = 2000

/**
 * The words of a topic or query, for the database to look up. Each is given as people write it and cut at its signs:
 * PostgreSQL takes `node.js` for one word, and `public-key` for three.
 */
export function wordsOfQuery(text: string): string[] {
  const lower = text.toLowerCase()
  const plain = lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const whole = lower.split(/\s+/).map(word => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return [...new Set([...plain, ...whole])].filter(word => word !== '').slice(0, maxWords)
}
