import { saidOfPost, textField } from '#front-matter'
import { canonicalNotes } from '../canonical.ts'
import { readDate } from '../dates.ts'
import { emptyPost, type SourcePost } from '../source-post.ts'
import { addressesOf } from './addresses.ts'
import type { MarkdownFile } from './read-file.ts'
import { isHtmlFile, pageNameOf } from './site/page-path.ts'
import { plainName } from './site/privacy.ts'
import type { MarkdownSite } from './site/site.ts'
import { publishedDate, visibilityOf } from './visibility.ts'

/** As Jekyll names posts. */
export const datedName = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/

/** What says when a post was published, or is to be. */
const publishingNames = 'pubDate pubDatetime publishDate publishedAt publishedOn publishedDate datePublished'.split(' ')
/** What delays it, and is not its date. */
const delayingNames = 'embargo embargoUntil scheduled scheduledAt scheduledFor'.split(' ')
const endingNames = 'expiryDate unpublishDate expires expiresAt expirationDate expiry'.split(' ')
const changingNames =
  'lastmod lastModifiedAt updated updatedDate updatedAt modDatetime modified dateModified lastUpdated'.split(' ')

/** The post of a file; `file` is its path in the folder, with `/`. */
export function postOfFile(file: string, read: MarkdownFile, site: MarkdownSite): SourcePost {
  const { fields: own, body, hasTags } = read
  const fields = site.fieldsOf(file, own)
  const { name, language } = pageNameOf(file)
  const [, year, month, day, dated] = datedName.exec(name) ?? []
  const fileDate = year === undefined ? null : `${year}-${month}-${day}`
  const said = saidOfPost(fields)
  const slug = [said.slug ?? dated ?? name, language ?? ''].filter(Boolean).join('-')
  const published = publishedDate(fields)
  const times = Object.fromEntries(Object.entries(fields).map(([key, value]) => [plainName(key), value]))
  const stated = textField(fields, 'date') ?? textField(times, ...publishingNames)
  const date = stated ?? published ?? fileDate
  const named = {
    file,
    name,
    language,
    title: said.title,
    ownSlug: said.slug,
    slug: said.slug ?? dated ?? name,
    date,
    categories: [...foldersOfPosts(file), ...said.categories],
    isDated: fileDate !== null
  }
  const { addresses, isKnown } = addressesOf(fields, named, site)
  const instantOf = (...names: string[]) => inZone(textField(times, ...names), site)
  const visibility = visibilityOf(file, fields, [...site.hiddenBy(file), ...hiddenByText(read)])
  return {
    ...emptyPost({ id: file, name: file, text: { format: isHtmlFile(file) ? 'html' : 'markdown', value: body } }),
    ...said,
    title: said.title ?? '',
    slug,
    is_public: visibility.is_public,
    published_at: inZone(date, site),
    visible_from: latest(
      [...publishingNames, ...delayingNames].map(each => instantOf(each)).concat(inZone(published, site))
    ),
    visible_until: instantOf(...endingNames),
    created_at: inZone(date, site),
    updated_at: instantOf(...changingNames),
    language: said.language ?? language,
    addresses,
    notes: [
      ...visibility.notes,
      ...notesOf(file, hasTags),
      ...canonicalNotes(textField(fields, 'canonicalURL', 'canonical_url', 'canonical'), { url: site.url, addresses }),
      ...(isKnown ? [] : ['its permalink has a pattern that is not known here: no redirect is stored'])
    ]
  }
}

/** Why a text may say more than readers were shown. */
function hiddenByText(read: MarkdownFile): string[] {
  const { isEncrypted, hasHidingBlock, hasHiddenElement, mayHaveComment, hasUnfencedFields } = read
  const notes = [
    isEncrypted && 'a shortcode protects a part of it by a password, so it is a draft',
    hasHidingBlock && 'a part of it is in a block that may hide it, as {% if … %} does, so it is a draft',
    hasHiddenElement && 'a part of it is in an element that was hidden, so it is a draft',
    mayHaveComment && 'a part of it may be a comment, as {# … #} and %% … %% are, so it is a draft',
    hasUnfencedFields && 'its text begins with fields that nothing encloses, so it is a draft'
  ]
  return notes.filter(note => note !== false)
}

/** A date without an offset is local to the zone that the site names, if it names one. */
const inZone = (date: string | null, { timeZone }: MarkdownSite): string | null =>
  date === null || timeZone === null ? date : (readDate(date, timeZone)?.toISOString() ?? date)

/** Of several dates, for which a post waits; before them one that is none. */
function latest(dates: readonly (string | null)[]): string | null {
  const timeOf = (date: string) => readDate(date, 'UTC')?.getTime() ?? Number.POSITIVE_INFINITY
  return dates.filter(date => date !== null).sort((a, b) => timeOf(b) - timeOf(a))[0] ?? null
}

/** As Jekyll has them: the folders above `_posts` are categories. */
function foldersOfPosts(file: string): string[] {
  const folders = file.split('/')
  const at = folders.indexOf('_posts')
  return at < 1 ? [] : folders.slice(0, at)
}

function notesOf(file: string, hasTags: boolean): string[] {
  return [
    ...(hasTags ? ['shortcodes or Liquid tags stay in the text as they are'] : []),
    ...(file.endsWith('.mdx') ? ['components of MDX stay in the text as they are'] : [])
  ]
}
