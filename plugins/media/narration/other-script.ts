/** What texts in these scripts are written with, as Unicode names it. */
const combined: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani', 'Bopo'],
  Hant: ['Hani', 'Bopo'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani']
}

/** Fewer letters say little of a text. */
const minLetters = 20

/**
 * Whether most letters of a text are of another script than its language has: then it is in another one. Latin letters count for
 * no other language, as names of products and code stand in all texts.
 */
export function isInOtherScript(texts: readonly string[], language: string): boolean {
  const script = new Intl.Locale(language).maximize().script ?? 'Latn'
  const own = [...(combined[script] ?? [script]), 'Latn'].map(each => `\\p{Script=${each}}`).join('')
  const other = new RegExp(`(?![${own}])\\p{L}`, 'gu')
  const count = (pattern: RegExp) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  const letters = count(/\p{L}/gu)
  return letters >= minLetters && count(other) > letters / 2
}
