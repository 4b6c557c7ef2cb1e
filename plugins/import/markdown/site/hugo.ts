import path from 'node:path'
import { fieldsIn, flagField, listField, textField } from '#front-matter'
import { type Cascade, cascadesOf } from './cascade.ts'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { regexPattern } from './glob.ts'
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
  const drafts = new Map(
    [...sections].flatMap(([file, each]) => (isDraft(each) ? [[path.posix.dirname(file), file] as const] : []))
  )
  const bundles = new Set(config === null ? [] : posts.filter(isBundle).map(file => path.posix.dirname(file)))
  const fields = config?.fields ?? {}
  const hiddenByConfig = config === null ? () => [] : hidingOf(config)
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
      const draft = config === null ? foldersAbove(file).flatMap(folder => drafts.get(folder) ?? [])[0] : undefined
      return [
        ...(bundle === undefined ? [] : [`it is part of the page ${bundle}, so it is a draft`]),
        ...(draft === undefined ? [] : [`Zola shows nothing below ${draft}, which is a draft, so it is a draft`]),
        ...hiddenByConfig(file)
      ]
    }
  }
}

const isDraft = (section: SiteFields | null): boolean =>
  section !== null && ![null, false].some(open => open === flagField(section, 'draft'))

/** More than anybody writes by hand: a file with more counts as one that leaves out everything. */
const maxIgnored = 100

/** What a configuration leaves out: files by their names, and languages. */
function hidingOf({ file: name, fields }: HugoConfig): (file: string) => string[] {
  const given = listField(fields, ['ignoreFiles'])
  const ignored = given.length > maxIgnored ? [() => true] : given.map(regexPattern)
  const languages = Object.entries(fieldsIn(fields.languages)).map(([code, each]) => ({ code, fields: fieldsIn(each) }))
  const disabled = languages.filter(each => flagField(each.fields, 'disabled') === true)
  const codes = new Set(
    [...listField(fields, ['disableLanguages']), ...disabled.map(({ code }) => code)].map(code => code.toLowerCase())
  )
  const folders = languages.flatMap(({ code, fields: own }) =>
    codes.has(code) ? (textField(own, 'contentDir')?.replace(/\/*$/, '/') ?? []) : []
  )
  return file => {
    const isDisabled = codes.has(pageLanguageOf(file) ?? '') || folders.some(folder => file.startsWith(folder))
    return [
      ...(ignored.some(isMet => isMet(`/${file}`)) ? [`ignoreFiles of ${name} may mean it, so it is a draft`] : []),
      ...(isDisabled ? [`${name} disables its language, so it is a draft`] : [])
    ]
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
