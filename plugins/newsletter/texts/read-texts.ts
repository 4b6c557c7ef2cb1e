import { directionOf } from '#plugins/site'
import { type Language, readerLanguages } from './languages.ts'
import type { ReaderTexts } from './texts.ts'

/** A reader's language, and what pages and mails say in it. */
export interface Locale {
  language: Language
  direction: 'ltr' | 'rtl'
  text(key: keyof ReaderTexts, values?: Readonly<Record<string, string | number>>): string
}

const traditional = /^zh-(hant|tw|hk|mo)\b/

/** The language of ours that a BCP 47 tag stands for; null for none. */
export function readerLanguageOf(tag: string): Language | null {
  const lower = tag.toLowerCase()
  const [name = ''] = traditional.test(lower) ? ['zh-Hant'] : lower.split('-', 1)
  return isLanguage(name) ? name : null
}

const isLanguage = (name: string): name is Language => Object.hasOwn(readerLanguages, name)

/** The locale of the first of these tags that there are texts for; English for none. */
export function localeFor(...tags: readonly (string | null | undefined)[]): Locale {
  const language = tags.map(tag => (tag == null ? null : readerLanguageOf(tag))).find(found => found !== null) ?? 'en'
  const texts = readerLanguages[language]
  return {
    language,
    direction: directionOf(language),
    text: (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (mark, name: string) => String(values[name] ?? mark))
  }
}

/** A link of a mail, which leads to a page in the reader's language. */
export const readerLink = (url: string, language: Language | null): string =>
  language === null ? url : `${url}&language=${language}`
