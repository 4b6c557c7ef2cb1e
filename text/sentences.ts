/** Case matters: "No. 7", and "He said no." */
const abbreviation = /(?:^|[\s("“„])(?:e\.g|i\.e|cf|vs|approx|ca|bzw|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Fig|Vol|\p{L})\.\s*$/u

/** In one sentence; a text with more is no prose. */
const maxAbbreviations = 8

/** To make the first one takes 16 ms, which only those who split sentences wait for. */
let english: Intl.Segmenter | undefined

/**
 * The sentences of a plain text, trimmed, with their marks: by Unicode's rules, and not at abbreviations. A line break ends
 * none, as for a reader. `language` is a BCP 47 tag.
 */
export function splitSentences(text: string, language = 'en'): string[] {
  const sentences: string[] = []
  let parts: string[] = []
  for (const { segment } of segmenterOf(language).segment(text.replace(/\s+/g, ' '))) {
    parts.push(segment)
    if (parts.length <= maxAbbreviations && abbreviation.test(segment.slice(-12))) continue
    sentences.push(parts.join('').trim())
    parts = []
  }
  if (parts.length > 0) sentences.push(parts.join('').trim())
  return sentences.filter(sentence => sentence !== '')
}

/** A tag that looks right may still be none, such as one with a variant twice. */
function segmenterOf(language: string): Intl.Segmenter {
  if (language === 'en') return englishSegmenter()
  try {
    return newSegmenter(language)
  } catch (error) {
    if (error instanceof RangeError) return englishSegmenter()
    throw error
  }
}

function englishSegmenter(): Intl.Segmenter {
  english ??= newSegmenter('en')
  return english
}

const newSegmenter = (language: string) => new Intl.Segmenter(language, { granularity: 'sentence' })
