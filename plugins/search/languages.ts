import type { Settings } from '#core'
import { languageOfTag, type SearchLanguage, searchLanguages } from './analysis/languages.ts'
import type { PostTable } from './inverted-index/post-table.ts'
import type { searchSettings } from './settings.ts'

/** The language a post is indexed in: its own, else the one of the setting. */
export const postLanguages =
  (settings: Settings<typeof searchSettings>) =>
  ({ language }: { language: string | null }): SearchLanguage =>
    (language === null ? undefined : languageOfTag(language)) ?? settings.get('search_language')

/** Stands for a language in the table of posts. Stored: languages are only added, at the end. 0 is none. */
export const codeOf = (language: SearchLanguage): number => searchLanguages.indexOf(language) + 1

/** The languages that published posts are indexed in. */
export const languagesIn = ({ languages }: Pick<PostTable, 'languages'>): SearchLanguage[] =>
  languages.flatMap(code => searchLanguages[code - 1] ?? [])
