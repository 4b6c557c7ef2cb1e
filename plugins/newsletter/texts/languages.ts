import { arabic } from './languages/ar.ts'
import { german } from './languages/de.ts'
import { english } from './languages/en.ts'
import { spanish } from './languages/es.ts'
import { french } from './languages/fr.ts'
import { hebrew } from './languages/he.ts'
import { italian } from './languages/it.ts'
import { japanese } from './languages/ja.ts'
import { dutch } from './languages/nl.ts'
import { portuguese } from './languages/pt.ts'
import { chinese } from './languages/zh.ts'
import { traditionalChinese } from './languages/zh-hant.ts'
import type { ReaderTexts } from './texts.ts'

/** The languages that readers are spoken to in: those of the site. */
export const languages = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  it: italian,
  ja: japanese,
  nl: dutch,
  pt: portuguese,
  zh: chinese,
  'zh-Hant': traditionalChinese
} as const satisfies Readonly<Record<string, ReaderTexts>>
export type Language = keyof typeof languages
