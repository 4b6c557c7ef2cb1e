const rightToLeftLanguages = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi'])
const rightToLeftScript = /-(arab|hebr|syrc|thaa|nkoo)\b/i
const anyScript = /-[a-z]{4}\b/i

/** How a language is written: its script says it where the tag names one. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  if (anyScript.test(language)) return rightToLeftScript.test(language) ? 'rtl' : 'ltr'
  const [name = ''] = language.toLowerCase().split('-', 1)
  return rightToLeftLanguages.has(name) ? 'rtl' : 'ltr'
}
