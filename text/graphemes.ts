/** The first segmenter of a process takes 10 ms, which only those who need one wait for. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people see them: a letter with its accents is one, and so is a family of emoji. */
export function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
