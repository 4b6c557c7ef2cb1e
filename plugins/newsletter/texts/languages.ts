import { arabicReaderTexts } from './languages/ar.ts'
import { germanReaderTexts } from './languages/de.ts'
import { englishReaderTexts } from './languages/en.ts'
import { spanishReaderTexts } from './languages/es.ts'
import { frenchReaderTexts } from './languages/fr.ts'
import { hebrewReaderTexts } from './languages/he.ts'
import { italianReaderTexts } from './languages/it.ts'
import { japaneseReaderTexts } from './languages/ja.ts'
import { dutchReaderTexts } from './languages/nl.ts'
import { portugueseReaderTexts } from './languages/pt.ts'
import { chineseReaderTexts } from './languages/zh.ts'
import { traditionalChineseReaderTexts } from './languages/zh-hant.ts'
import type { ReaderTexts } from './texts.ts'

/** The languages that readers are spoken to in: those of the site. */
export const readerLanguages = {
  ar: arabicReaderTexts,
  de: germanReaderTexts,
  en: englishReaderTexts,
  es: spanishReaderTexts,
  fr: frenchReaderTexts,
  he: hebrewReaderTexts,
  it: italianReaderTexts,
  ja: japaneseReaderTexts,
  nl: dutchReaderTexts,
  pt: portugueseReaderTexts,
  zh: chineseReaderTexts,
  'zh-Hant': traditionalChineseReaderTexts
} as const satisfies Readonly<Record<string, ReaderTexts>>
export type Language = keyof typeof readerLanguages
