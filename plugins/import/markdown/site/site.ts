import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FolderFiles } from '../find-files.ts'
import { FileFault, readMarkdownFiles, readSettingsFiles, textsAtOnce } from '../read-texts.ts'
import { directoryData, readDirectoryData } from './directory-data.ts'
import { type FieldRule, type SiteFields, unreadableRules, withInherited } from './field-rule.ts'
import { type HugoConfig, type HugoSite, hugoSite, type ReadFields } from './hugo.ts'
import { type JekyllSite, jekyllSite } from './jekyll.ts'
import { leftOutOf } from './left-out.ts'

/** What the files of a site say of its posts. */
export interface MarkdownSite {
  /** The fields of a post, with those that it inherits. */
  fieldsOf(file: string, own: SiteFields): SiteFields
  /** Why nobody was shown a file, by other files. */
  hiddenBy(file: string): string[]
  /** Of Jekyll's posts with a date in their name, and of those of Hexo. */
  permalink: string | null
  /** Patterns of the address of a file in a collection of Jekyll, by its own if it has one; none elsewhere. */
  collectionPatterns(file: string, own: string | null): string[]
  /** The folder of its posts and pages; null where it is no site of Hexo. */
  hexoFolder: string | null
  /** Null where it is no site of Hugo. */
  hugo: Pick<HugoSite, 'permalinkOf' | 'languageFolder'> | null
  /** Its address; null where nobody says it. */
  url: string | null
  /** The path that the site lies under, without a slash at the end. */
  prefix: string
  /** IANA zone of dates without an offset; null where it names none. */
  timeZone: string | null
}

export async function readSite(
  root: string,
  { posts, sections, data }: Pick<FolderFiles, 'posts' | 'sections' | 'data'>,
  url: string | null
): Promise<MarkdownSite> {
  const jekyll = await readJekyll(root)
  const { config, rules } = await readHugoConfig(root)
  const hugo = hugoSite({ config, sections: await readSections(root, sections), posts })
  const leftOut = await leftOutOf(root)
  const isElsewhere = jekyll.site !== null || config !== null || [...jekyll.rules, ...rules].length > 0
  const isData = !isElsewhere || (await filesIn(root, '', eleventyConfig)).length > 0
  const dataOf = directoryData(root, await readDirectoryData(root, isData ? data : []))
  const rulesFor = (file: string): FieldRule[] => [
    ...jekyll.rules,
    ...rules,
    ...(jekyll.site?.rulesFor(file) ?? []),
    ...hugo.rulesFor(file),
    ...dataOf(file)
  ]
  return {
    fieldsOf: (file, own) => withInherited(own, rulesFor(file)),
    hiddenBy: file => [
      ...(jekyll.site?.hiddenBy(file) ?? []),
      ...hugo.hiddenBy(file),
      ...unreadableRules(rulesFor(file)),
      ...leftOut(file)
    ],
    permalink: jekyll.site?.permalink ?? null,
    collectionPatterns: (file, own) => jekyll.site?.collectionPatterns(file, own) ?? [],
    hexoFolder: jekyll.site?.hexoFolder ?? null,
    hugo: config === null ? null : hugo,
    url: url ?? jekyll.site?.url ?? hugo.prefix,
    prefix: pathOf(jekyll.site?.prefix ?? hugo.prefix ?? ''),
    timeZone: [jekyll.site?.timeZone, hugo.timeZone].find(name => name != null && isZone(name)) ?? null
  }
}

/** Of an address, or of a path. */
const pathOf = (address: string): string =>
  (URL.parse(address, 'http://localhost/')?.pathname ?? '').replace(/\/+$/, '')

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

async function readJekyll(root: string): Promise<{ site: JekyllSite | null; rules: FieldRule[] }> {
  const [file] = await filesIn(root, '', /^_config\.(?:ya?ml|toml)$/)
  if (file === undefined) return { site: null, rules: [] }
  const fields = readable(await readSettingsFiles(root, [file])).get(file) ?? null
  return fields === null
    ? { site: null, rules: [{ file, values: null }] }
    : { site: jekyllSite(file, fields), rules: [] }
}

/** Where a site has one, and one of Hugo or Jekyll, it may have come from there. */
const eleventyConfig = /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/
const hugoConfig = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/
const hugoPart = /^(?:hugo|config|permalinks|cascade)\.(?:toml|ya?ml|json)$/

/** The configuration of Hugo, from one file or from several, and those that cannot be read. A `config.json` may be of another program. */
async function readHugoConfig(root: string): Promise<{ config: HugoConfig | null; rules: FieldRule[] }> {
  const files = [...(await filesIn(root, '', hugoConfig)), ...(await filesIn(root, 'config/_default', hugoPart))]
  const read = readable(await readSettingsFiles(root, files))
  const merged: Record<string, unknown> = {}
  for (const [file, fields] of read) {
    const { name, base } = path.posix.parse(file)
    // `permalinks.toml` is the part of that name.
    Object.assign(merged, hugoConfig.test(base) ? fields : { [name]: fields })
  }
  const isNamed = files.some(file => /(?:^|\/)hugo\.|^config\//.test(file))
  const isHugo = isNamed || 'baseurl' in merged
  const unreadable = [...read].flatMap(([file, fields]) => (fields === null ? [file] : []))
  const isMeant = isHugo || (unreadable.length > 0 && (await isFolder(path.join(root, 'content'))))
  const [file] = files
  return {
    config: file !== undefined && isHugo ? { file, fields: merged } : null,
    rules: isMeant ? unreadable.map(each => ({ file: each, values: null })) : []
  }
}

/** The fields of those that say something of the pages below. */
async function readSections(root: string, files: readonly string[]): Promise<ReadFields> {
  const found = new Map<string, SiteFields | null>()
  for (let from = 0; from < files.length; from += textsAtOnce)
    for (const [file, read] of await readMarkdownFiles(root, files.slice(from, from + textsAtOnce))) {
      if (read instanceof FileFault) found.set(file, null)
      else if (read.fields.cascade !== undefined || read.fields.draft !== undefined)
        found.set(file, { cascade: read.fields.cascade, draft: read.fields.draft })
    }
  return found
}

const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    found => found.isDirectory(),
    () => false
  )

/** Those of a folder whose names match. */
async function filesIn(root: string, folder: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile() && name.test(entry.name))
    .map(entry => path.posix.join(folder, entry.name))
    .sort()
}

const readable = (read: ReadonlyMap<string, SiteFields | FileFault>): ReadFields =>
  new Map([...read].map(([file, fields]) => [file, fields instanceof FileFault ? null : fields]))
