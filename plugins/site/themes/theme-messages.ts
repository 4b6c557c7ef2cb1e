import type { SiteData } from '../site-view.ts'
import type { TextsByLanguage } from '../texts/texts.ts'
import type { PageKind } from '../views.ts'
import type { ThemeFiles } from './theme-files.ts'

/** What the thread of a theme is started with. */
export interface ThemeStart {
  /** What to import, and the address of the file that imports it. */
  specifier: string
  parentUrl: string
  /** The key of HTML in what is sent. */
  mark: string
}

/** What the thread makes one page of. */
export interface ThemePage {
  kind: PageKind
  site: SiteData
  view: unknown
}

export interface LoadedTheme {
  /** Changes with the code of the theme. */
  version: string
  files: ThemeFiles
  texts: TextsByLanguage
  /** Kinds of pages that it has no template for. */
  missing: readonly PageKind[]
}

/** `fault` completes "The theme …". */
export type ThemeMessage =
  | { kind: 'loaded'; theme: LoadedTheme }
  | { kind: 'page'; html: string }
  | { kind: 'fault'; fault: string }

export const maxFileLength = 524_288
