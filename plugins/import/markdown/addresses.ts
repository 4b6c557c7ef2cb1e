import path from 'node:path'
import { listField, textField } from '#front-matter'
import { zoneOffsetMs } from '#time'
import { readDate } from '../dates.ts'
import { expandHugoPermalink, urlized } from './hugo-permalink.ts'
import { expandPermalink, type PermalinkPost } from './permalink.ts'
import type { SiteFields } from './site/field-rule.ts'
import { contentFolder, isIndexFile } from './site/page-path.ts'
import type { MarkdownSite } from './site/site.ts'

/** What the address of a post is made of. */
interface NamedPost extends PermalinkPost {
  file: string
  /** Of the file, or of its folder, with the date that Jekyll has there. */
  name: string
  title: string | null
  /** As its author gave it. */
  ownSlug: string | null
  language: string | null
  /** The name of the file has a date. */
  isDated: boolean
}

/** The paths that readers knew a post by. `isKnown`: nothing in them stands for what is not known here. */
interface Addresses {
  addresses: string[]
  isKnown: boolean
}

/** What it was called where it comes from, and by default: Jekyll has the date in the address, Hugo and Astro the folders. */
export function addressesOf(fields: SiteFields, post: NamedPost, site: MarkdownSite): Addresses {
  const stated = listField(fields, ['aliases', 'redirect_from'])
  const own = textField(fields, 'permalink', 'url')
  const patterns = own === null ? [] : site.collectionPatterns(post.file, own)
  const expanded = (pattern: string) => expandPermalink(pattern, localPost(post, site))
  const made = own === null ? addressesBySite(post, site) : (patterns.length > 0 ? patterns : [own]).map(expanded)
  const known = [...made.filter(address => address !== null), ...stated]
  return { addresses: known.flatMap(address => withPrefix(address, site.prefix)), isKnown: !made.includes(null) }
}

/** With null for one that is not known. */
function addressesBySite(post: NamedPost, site: MarkdownSite): (string | null)[] {
  if (site.hugo !== null) {
    const language = site.hugo.languageFolder(post.language)
    const pattern = site.hugo.permalinkOf(post.file)
    if (pattern === null) return [urlizedPath(addressByFolder({ ...post, language }, post.ownSlug ?? post.name))]
    const address = expandHugoPermalink(pattern, post)
    return [address === null ? null : path.posix.join('/', language ?? '', address)]
  }
  if (site.hexoFolder !== null) return addressesOfHexo(post, site.hexoFolder, site)
  const patterns = site.collectionPatterns(post.file, null)
  if (patterns.length > 0) return patterns.map(each => expandPermalink(each, localPost(post, site)))
  if (!post.isDated) return [addressByFolder(post, post.slug)]
  const local = localPost(post, site)
  if (site.permalink !== null) return [expandPermalink(site.permalink, local)]
  const plain = expandPermalink('/:year/:month/:day/:title:output_ext', local)
  return [...new Set([expandPermalink('date', local), plain])].filter(address => address !== null)
}

/** Hexo has posts in `_posts`, by their paths in it: the folders there are part of the title, and a date where it is told so. */
function addressesOfHexo(post: NamedPost, folder: string, site: MarkdownSite): (string | null)[] {
  const file = post.file.replace(/\.[^./]+$/, '').replace(`${folder.replace(/^\.?\/+|\/+$/g, '')}/`, '')
  const title = file.startsWith('_posts/') ? file.slice('_posts/'.length) : null
  const { permalink } = site
  if (title === null || permalink === null) return [`/${file.replace(/(?:^|\/)index$/, '')}`]
  const titles = post.isDated ? [title, path.posix.join(path.posix.dirname(title), post.slug)] : [title]
  return titles.map(slug =>
    expandPermalink(permalink.replace(/:name\b/g, path.posix.basename(slug)), { ...localPost(post, site), slug })
  )
}

/** Each of its names. */
const urlizedPath = (address: string): string => address.split('/').map(urlized).join('/')

function addressByFolder({ file, language }: NamedPost, name: string): string {
  const folder = path.posix.dirname(isIndexFile(file) ? path.posix.dirname(file) : file)
  return path.posix.join('/', language ?? '', folder.replace(contentFolder, ''), name)
}

/** Its date as the clocks of the site's zone show it, as Jekyll has it in addresses. */
function localPost(post: NamedPost, { timeZone }: MarkdownSite): NamedPost {
  const at = post.date === null || timeZone === null ? null : readDate(post.date, timeZone)
  if (at === null || timeZone === null) return post
  return { ...post, date: new Date(at.getTime() + zoneOffsetMs(at.getTime(), timeZone)).toISOString() }
}

/** Of a site below a path of its host: as its own texts name it, and as readers know it. */
const withPrefix = (address: string, prefix: string): string[] =>
  prefix === '' || !address.startsWith('/') ? [address] : [address, `${prefix}${address}`]
