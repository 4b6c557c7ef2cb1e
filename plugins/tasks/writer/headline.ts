import { termsOf } from '#text'
import { cutText } from '#text/excerpts'
import type { Sentence } from './sentences.ts'

/** Bounds of a title and of an excerpt, in characters. */
const titleLength = { min: 10, max: 90 }
const maxExcerptLength = 200

const smallWords = new Set(
  'a an and as at but by for from if in into nor of on or over per so than the to up via vs with yet'.split(' ')
)

/** How the sources write a word inside their sentences: `PostgreSQL`, `DNS`, `bread`. */
function spellings(texts: readonly string[]): (word: string) => string | undefined {
  const counts = new Map<string, Map<string, number>>()
  for (const text of texts) {
    for (const [word] of text.matchAll(/(?<=[\p{Ll},;)] )[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)) {
      const forms = counts.get(word.toLowerCase()) ?? new Map<string, number>()
      counts.set(word.toLowerCase(), forms.set(word, (forms.get(word) ?? 0) + 1))
    }
  }
  return word => [...(counts.get(word.toLowerCase()) ?? [])].sort((one, other) => other[1] - one[1])[0]?.[0]
}

const capitalise = (word: string): string =>
  word.replace(/^(["'“‘(]*)(\p{L})/u, (_, quote, letter) => quote + letter.toUpperCase())

/** The topic without markup, closing full stop and shouting. */
export function tidyTopic(topic: string): string {
  const text = topic
    .toWellFormed()
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/[\p{Cc}`*_#<>[\]{}|\\~]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s.:;,–—-]+$/u, '')
  if (!/[\p{L}\p{N}]/u.test(text)) return 'Untitled'
  return text.length > 12 && text === text.toUpperCase() && /\s/.test(text) ? text.toLowerCase() : text
}

/** Cuts at the last colon, dash or comma that leaves enough, else at a word that does not dangle. */
function shorten(title: string): string {
  if (title.length <= titleLength.max) return title
  const cut = title.slice(0, titleLength.max + 1)
  const pause = Math.max(cut.lastIndexOf(': '), cut.lastIndexOf(' – '), cut.lastIndexOf(' - '), cut.lastIndexOf(', '))
  const words = (
    pause >= 30 ? cut.slice(0, pause) : cutText(cut, Math.max(cut.lastIndexOf(' '), 0) || titleLength.max)
  ).split(' ')
  while (words.length > 1 && smallWords.has(words.at(-1)?.toLowerCase() ?? '')) words.pop()
  return words.join(' ').replace(/[,;:–-]+$/, '')
}

/**
 * The topic as a headline: title case where the script is plain Latin, names spelt as the sources spell them, at most 90 characters. A topic too
 * short for a headline borrows the title of the best source that names it.
 */
export function titleFor(topic: string, sourceTitles: readonly string[], texts: readonly string[]): string {
  const spelling = spellings(texts)
  const words = tidyTopic(topic).split(' ')
  const isLatin = /^[\p{ASCII}\p{Pd}‘’“”]*$/u.test(words.join(''))
  const cased = words.map((word, index) => {
    if (!isLatin && index > 0) return word
    const known = /^\p{Ll}+$/u.test(word) ? (spelling(word) ?? word) : word
    const isInside = index > 0 && index < words.length - 1 && !/[:?!–-]$/.test(words[index - 1] ?? '')
    return isInside && smallWords.has(known.toLowerCase()) ? known.toLowerCase() : capitalise(known)
  })
  const title = shorten(cased.join(' '))
  if (title.length >= titleLength.min || !isLatin) return title
  const terms = termsOf(topic)
  return sourceTitles.find(other => terms.length > 0 && isTitleOn(other, terms)) ?? `${title}: An Overview`
}

const isTitleOn = (title: string, terms: readonly string[]): boolean =>
  title.length >= titleLength.min &&
  title.length <= titleLength.max &&
  terms.every(term => termsOf(title).includes(term))

/** Whole sentences of at most 200 characters, the opening's own where they fit. */
export function excerptFor(opening: readonly Sentence[], others: readonly Sentence[]): string {
  const first = opening[0]?.text ?? ''
  const both = `${first} ${opening[1]?.text ?? ''}`.trim()
  const fitting = [...opening, ...others].find(
    ({ text, dependsOnPrevious }) => text.length <= maxExcerptLength && !dependsOnPrevious
  )
  const whole = both.length <= maxExcerptLength ? both : fitting?.text
  return (whole ?? `${cutText(first, maxExcerptLength - 1).replace(/\s+\S*$/, '')}…`).replaceAll('`', '')
}
