const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx|dr|mr|mrs|ms|prof|st|no|fig|ca|bzw|z\.b|[A-Z])\.\s*$/i

/** In one sentence; a text with more is no prose. */
const maxAbbreviations = 8

const english = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Splits running text into sentences, keeping their wording. `language` is a BCP 47 tag. */
export function splitSentences(text: string, language = 'en'): string[] {
  const segmenter = language === 'en' ? english : segmenterOf(language)
  const sentences: string[] = []
  let parts: string[] = []
  for (const { segment } of segmenter.segment(text)) {
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
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' })
  } catch (error) {
    if (error instanceof RangeError) return english
    throw error
  }
}
