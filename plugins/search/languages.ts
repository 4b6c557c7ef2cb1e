import type { Settings } from '#core'
import { languageOfTag, type TextLanguage, textLanguages } from '#text'
import type { PostTable } from './inverted-index/post-table.ts'
import type { searchSettings } from './settings.ts'

/** The language a post is indexed in: its own, else the one of the setting. */
export const postLanguages =
  (settings: Settings<typeof searchSettings>) =>
  ({ language }: { language: string | null }): TextLanguage =>
    (language === null ? undefined : languageOfTag(language)) ?? settings.get('search_language')

/** Stands for a language in the table of posts. Stored: languages are only added, at the end. 0 is none. */
export const codeOf = (language: TextLanguage): number => textLanguages.indexOf(language) + 1

/** A flag for each language, at its code. */
export type LanguageFlags = Uint8Array

const codes = 256
export const allLanguages: LanguageFlags = new Uint8Array(codes).fill(1)

/** Undefined where there is nothing to tell apart. */
export function flagsOf(languages: readonly TextLanguage[] | undefined): LanguageFlags | undefined {
  if (languages === undefined || languages.length === 0) return undefined
  const flags = new Uint8Array(codes)
  for (const language of languages) flags[codeOf(language)] = 1
  return flags
}

/** The languages that published posts are indexed in. */
export const languagesIn = ({ languages }: Pick<PostTable, 'languages'>): TextLanguage[] =>
  languages.flatMap(code => textLanguages[code - 1] ?? [])
