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
import type { TextsByLanguage } from './texts.ts'

/** The languages that galley speaks; a theme or a plugin can add others. */
export const languages: TextsByLanguage = {
  ar: { ...arabic },
  de: { ...german },
  en: { ...english },
  es: { ...spanish },
  fr: { ...french },
  he: { ...hebrew },
  it: { ...italian },
  ja: { ...japanese },
  nl: { ...dutch },
  pt: { ...portuguese },
  zh: { ...chinese },
  'zh-hant': { ...traditionalChinese },
  'zh-hk': { ...traditionalChinese },
  'zh-tw': { ...traditionalChinese }
}
