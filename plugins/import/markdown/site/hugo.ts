import path from 'node:path'
import { fieldsIn, flagField, textField } from '#front-matter'
import { type Cascade, cascadesOf } from './cascade.ts'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { contentFolder, isIndexFile, pageLanguageOf, sectionsOf } from './page-path.ts'

/** What Hugo's configuration, and the texts above its lists, say of posts. */
export interface HugoSite {
  /** The last counts most. */
  rulesFor(file: string): FieldRule[]
  /** Why Hugo shows nobody a file as a page. */
  hiddenBy(file: string): string[]
  /** The pattern of its address, by its section; null where it has none. */
  permalinkOf(file: string): string | null
  /** The folder of the addresses of a language; null for the default one, where that has none. */
  languageFolder(language: string | null): string | null
  /** Its `baseURL`. */
  prefix: string | null
  timeZone: string | null
}

export interface HugoConfig {
  file: string
  fields: SiteFields
}

/** What was read of the files that say something of others; null where one could not be read. */
export type ReadFields = ReadonlyMap<string, SiteFields | null>

/** Of its sections: a site with more counts as one that cannot be read. */
const maxOfSite = 2000

export function hugoSite({
  config,
  sections,
  posts
}: {
  /** Null where there is none. */
  config: HugoConfig | null
  sections: ReadFields
  posts: readonly string[]
}): HugoSite {
  const ofSite = config === null ? [] : cascadesOf(config.file, config.fields)
  const byFolder = new Map<string, Cascade[]>()
  let count = 0
  for (const [file, fields] of sections) {
    const cascades = cascadesOf(file, fields)
    count += cascades.length
    if (count > maxOfSite) break
    const folder = path.posix.dirname(file)
    const known = byFolder.get(folder)
    if (known === undefined) byFolder.set(folder, cascades)
    else known.push(...cascades)
  }
  if (count > maxOfSite)
    ofSite.push({ file: `a site with more than ${maxOfSite} cascades`, values: null, isFor: () => true })
  const bundles = new Set(config === null ? [] : posts.filter(isBundle).map(file => path.posix.dirname(file)))
  const fields = config?.fields ?? {}
  const permalinks = fieldsIn(fields.permalinks)
  const ofPages = { ...permalinks, ...fieldsIn(permalinks.page) }
  const defaultLanguage = (textField(fields, 'defaultContentLanguage') ?? 'en').toLowerCase()
  const hasFolder = flagField(fields, 'defaultContentLanguageInSubdir') === true
  return {
    languageFolder: language => (language?.toLowerCase() === defaultLanguage && !hasFolder ? null : language),
    permalinkOf: file => textField(ofPages, sectionsOf(file)[0] ?? '/'),
    prefix: textField(fields, 'baseURL'),
    timeZone: textField(fields, 'timeZone'),
    rulesFor: file =>
      [...ofSite, ...foldersAbove(file).flatMap(folder => byFolder.get(folder) ?? [])].filter(
        rule => isOfLanguage(rule.file, file) && rule.isFor(file)
      ),
    hiddenBy(file) {
      const around = isIndexFile(file) ? path.posix.dirname(file) : file
      const bundle = foldersAbove(around).find(folder => bundles.has(folder))
      return bundle === undefined ? [] : [`it is part of the page ${bundle}, so it is a draft`]
    }
  }
}

/** The page of a folder; that of the whole content is none. */
const isBundle = (file: string): boolean =>
  isIndexFile(file) && `${path.posix.dirname(file)}/`.replace(contentFolder, '') !== ''

/** `_index.de.md` says something of pages in German, and `_index.md` of those that it may be meant for. */
function isOfLanguage(section: string, file: string): boolean {
  const language = pageLanguageOf(section)
  return language === null || language === pageLanguageOf(file)
}

/** From the root, which is `.`, to the one that a file lies in. */
export function foldersAbove(file: string): string[] {
  const parts = path.posix.dirname(file).split('/')
  return ['.', ...parts.flatMap((part, index) => (part === '.' ? [] : [parts.slice(0, index + 1).join('/')]))]
}
