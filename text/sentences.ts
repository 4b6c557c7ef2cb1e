const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|dr|mr|mrs|ms|prof|st|no|fig|ca|bzw|z\.b|[A-Z])\.\s*$/i

/** In one sentence; a text with more is no prose. */
const maxAbbreviations = 8

/** To make the first one takes 16 ms, which only those who split sentences wait for. */
let english: Intl.Segmenter | undefined

/** Splits running text into sentences, keeping their wording. `language` is a BCP 47 tag. */
export function splitSentences(text: string, language = 'en'): string[] {
  const sentences: string[] = []
  let parts: string[] = []
  for (const { segment } of segmenterOf(language).segment(text)) {
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
