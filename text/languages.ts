/**
 * The languages that texts are analysed in: those that Snowball has stems for. The index of posts stores their places: others
 * are added at the end.
 */
export const textLanguages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
  'czech',
  'estonian',
  'persian',
  'polish'
] as const

/** `simple` has neither stems nor stop words. */
export type TextLanguage = (typeof textLanguages)[number]

/** They write a compound as one word: `Krankenversicherung` is an insurance. */
const compoundLanguages: readonly TextLanguage[] = ['danish', 'dutch', 'german', 'norwegian', 'swedish']

export const writesCompounds = (language: TextLanguage): boolean => compoundLanguages.includes(language)

/** ISO 639-1, the spelling that BCP 47 prefers. */
const tagsOfLanguages: Readonly<Record<Exclude<TextLanguage, 'simple'>, string>> = {
  arabic: 'ar',
  armenian: 'hy',
  basque: 'eu',
  catalan: 'ca',
  czech: 'cs',
  danish: 'da',
  dutch: 'nl',
  english: 'en',
  estonian: 'et',
  finnish: 'fi',
  french: 'fr',
  german: 'de',
  greek: 'el',
  hindi: 'hi',
  hungarian: 'hu',
  indonesian: 'id',
  irish: 'ga',
  italian: 'it',
  lithuanian: 'lt',
  nepali: 'ne',
  norwegian: 'no',
  persian: 'fa',
  polish: 'pl',
  portuguese: 'pt',
  romanian: 'ro',
  russian: 'ru',
  serbian: 'sr',
  spanish: 'es',
  swedish: 'sv',
  tamil: 'ta',
  turkish: 'tr',
  yiddish: 'yi'
}

const languagesByTag = new Map<string, TextLanguage>([
  ...textLanguages.flatMap((language): [string, TextLanguage][] =>
    language === 'simple' ? [] : [[tagsOfLanguages[language], language]]
  ),
  ['nb', 'norwegian'],
  ['nn', 'norwegian']
])

let names: Intl.DisplayNames | undefined

/**
 * The language to analyse texts of a BCP 47 tag in: `de-AT` is german. One without stems here (`zh`, `ja`, `vi`) is simple.
 * Undefined for what is no language.
 */
export function languageOfTag(tag: string): TextLanguage | undefined {
  const primary = tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  if (!/^[a-z]{2,3}$/.test(primary)) return undefined
  const language = languagesByTag.get(new Intl.Locale(primary).language)
  if (language !== undefined) return language
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return names.of(primary) === undefined ? undefined : 'simple'
}
