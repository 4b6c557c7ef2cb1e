/** The scripts that texts in these are written with, as Unicode names them. */
const combined: Readonly<Record<string, readonly string[]>> = {
  Aran: ['Arab'],
  Hanb: ['Hani', 'Bopo'],
  Hans: ['Hani', 'Bopo'],
  Hant: ['Hani', 'Bopo'],
  Hrkt: ['Hira', 'Kana'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Latf: ['Latn'],
  Latg: ['Latn']
}

/** Fewer letters say little of a text. */
const minLetters = 20

/**
 * Whether most letters of a text are of another script than its language has: then it is in another one. Latin letters count for
 * no other language, as names of products and code stand in all texts. False for a language whose script is not known.
 */
export function isInOtherScript(texts: readonly string[], language: string): boolean {
  const other = lettersOfOthers(language)
  if (other === undefined) return false
  const count = (pattern: RegExp) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  const letters = count(/\p{L}/gu)
  return letters >= minLetters && count(other) > letters / 2
}

function lettersOfOthers(language: string): RegExp | undefined {
  try {
    const { script = 'Latn' } = new Intl.Locale(language).maximize()
    const scripts = [...(combined[script] ?? [script]), 'Latn', 'Zyyy', 'Zinh']
    return new RegExp(`(?![${scripts.map(each => `\\p{scx=${each}}`).join('')}])\\p{L}`, 'gu')
  } catch {
    return undefined
  }
}
