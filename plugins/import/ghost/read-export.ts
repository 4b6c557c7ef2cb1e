import { readFile, stat } from 'node:fs/promises'
import { cutText, oneLine } from '#text/excerpts'
import { isZip, openZip } from '../archive/zip.ts'
import { canonicalNotes } from '../canonical.ts'
import { hasHiddenElement } from '../conversion/hidden-elements.ts'
import { allNote, type GatedText, partNote } from '../gated-parts.ts'
import { emptyPost, type SourceItem, type SourcePost } from '../source-post.ts'
import { createItemWriter } from '../staging/item-writer.ts'
import type { StageRequest, StageSummary } from '../staging/stage.ts'
import { textOfHtml } from '../text-of-html.ts'
import { openHtml } from './card-visibility.ts'
import { lexicalHtml } from './lexical.ts'
import { mobiledocHtml } from './mobiledoc.ts'
import { columnText, columnTime, type GhostRow, isRow, rowsOf } from './records.ts'
import { type GhostTables, readTables } from './tables.ts'

/** JSON is read as a whole. */
const maxBytes = 300 * 1024 * 1024
/** Stands for the address of the site. */
const ghostUrl = /__GHOST_URL__/g
/** Before the path of a film, a sound or a file, which stay at the old site. */
const ghostMedia = /__GHOST_URL__(?=\/content\/(?:media|files)\/)/g
/** One whose site nobody named. */
const mediaPath = /\s(?:href|src)=["']\/content\/(?:media|files)\//

/** Reads the JSON export of Ghost, versions 1 to 6. Runs in a process of its own. @throws Error for what is none */
export async function readGhostExport({ file, target, siteUrl }: StageRequest): Promise<StageSummary> {
  const data = dataOf(parse((await isZip(file)) ? await readFromZip(file) : await readBounded(file)))
  const tables = readTables(data)
  const writer = createItemWriter(target)
  for (const post of rowsOf(data, 'posts')) writer.write(itemOf(post, tables, siteUrl))
  for (const label of tables.described) writer.write(label)
  return { items: writer.close(), pictures: {}, siteUrl: null }
}

async function readBounded(file: string): Promise<Buffer> {
  const { size } = await stat(file)
  if (size > maxBytes) throw tooLarge(size)
  return readFile(file)
}

/** An archive has the JSON beside the pictures; of several the largest has the posts. */
async function readFromZip(file: string): Promise<Buffer> {
  const zip = await openZip(file)
  try {
    const files = [...zip.entries.values()].filter(({ fileName }) => /\.json$/i.test(fileName))
    const [largest] = files.sort((a, b) => b.uncompressedSize - a.uncompressedSize)
    if (largest === undefined) throw new TypeError('it is an archive without a JSON file')
    if (largest.uncompressedSize > maxBytes) throw tooLarge(largest.uncompressedSize)
    return await zip.read(largest, maxBytes)
  } finally {
    zip.close()
  }
}

const tooLarge = (bytes: number): RangeError => new RangeError(`it has ${bytes} bytes; at most ${maxBytes} are taken`)

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new TypeError(
      'it is no JSON in UTF-8: take the file that Ghost writes under Settings, Migration tools, Export'
    )
  }
}

/** `{db: [{data}]}`, as Ghost exports it, or what is in it. */
function dataOf(value: unknown): GhostRow {
  const inner = isRow(value) && Array.isArray(value.db) ? value.db[0] : value
  const data = isRow(inner) ? inner.data : undefined
  if (!isRow(data) || !Array.isArray(data.posts)) throw new TypeError('it has no posts: it is no export of Ghost')
  return data
}

function itemOf(post: GhostRow, tables: GhostTables, siteUrl: string | null): SourceItem {
  const name = columnText(post, 'title') ?? columnText(post, 'slug') ?? 'a post without a title'
  if (post.type === 'page' || post.page === true || post.page === 1) return { kind: 'left', name, reason: 'is a page' }
  const id = columnText(post, 'uuid') ?? columnText(post, 'id')
  if (id === null) return { kind: 'failed', name, reason: 'has no id' }
  const text = textOfPost(post, siteUrl)
  return text === null
    ? { kind: 'failed', name, reason: 'has no HTML' }
    : { kind: 'post', post: postOf(post, tables, { id, name, siteUrl, ...text }) }
}

type PostText = Pick<SourcePost, 'text'> & Pick<GatedText, 'gated'>

/** The export has the HTML beside the editor's own form. */
function textOfPost(post: GhostRow, siteUrl: string | null): PostText | null {
  const html = columnText(post, 'html') ?? editorHtml(post)
  if (html !== null) {
    const media = siteUrl?.replace(/\/+$/, '') ?? ''
    const open = openHtml(html.replace(ghostMedia, () => media).replace(ghostUrl, ''))
    return { text: { format: 'html', value: open.html }, gated: open.gated }
  }
  const plain = columnText(post, 'markdown') ?? columnText(post, 'plaintext')
  // Plain text has what cards for members say, and does not say that it is theirs.
  const mayBeGated = columnText(post, 'lexical')?.includes('"visibility"') === true
  if (plain === null) return null
  const gated = mayBeGated || hasHiddenElement(plain) ? 'all' : 'nothing'
  return { text: { format: 'markdown', value: plain }, gated }
}

/** Files that other programs made for Ghost have the form of an editor only. */
function editorHtml(post: GhostRow): string | null {
  const lexical = columnText(post, 'lexical')
  const mobiledoc = columnText(post, 'mobiledoc')
  const html =
    (lexical === null ? null : lexicalHtml(lexical)) ?? (mobiledoc === null ? null : mobiledocHtml(mobiledoc))
  return html?.trim() ? html : null
}

function postOf(
  post: GhostRow,
  tables: GhostTables,
  { gated, siteUrl, ...base }: Pick<SourcePost, 'id' | 'name'> & PostText & { siteUrl: string | null }
): SourcePost {
  const meta = tables.meta(post) ?? post
  const tags = tables.tags(post)
  const slug = columnText(post, 'slug') ?? ''
  const addresses = slug === '' ? [] : [`/${slug}/`]
  const { visibility = 'public', status } = post
  const isForAll = visibility === 'public'
  return {
    ...emptyPost(base),
    title: columnText(post, 'title') ?? '',
    slug,
    excerpt: columnText(post, 'custom_excerpt'),
    is_public: status === 'published' && isForAll && gated !== 'all',
    published_at: columnTime(post, 'published_at'),
    created_at: columnTime(post, 'created_at'),
    updated_at: columnTime(post, 'updated_at'),
    // Ghost's main tag is the first.
    categories: tags.slice(0, 1),
    tags,
    authors: tables.authors(post),
    seo_title: columnText(meta, 'meta_title'),
    seo_description: columnText(meta, 'meta_description'),
    image: (columnText(post, 'feature_image') ?? columnText(post, 'image'))?.replace(ghostUrl, '') ?? null,
    language: columnText(post, 'locale'),
    addresses,
    notes: [
      ...notesOf(post, { gated, text: base.text }, isForAll),
      ...captionNotes(columnText(meta, 'feature_image_caption')),
      ...canonicalNotes(columnText(post, 'canonical_url') ?? columnText(meta, 'canonical_url'), {
        url: siteUrl,
        addresses
      })
    ]
  }
}

function notesOf(post: GhostRow, { text: { format, value }, gated }: PostText, isForAll: boolean): string[] {
  const notes = [
    !isForAll && `only ${String(post.visibility)} could read it, so it is a draft`,
    gated === 'part' && partNote,
    gated === 'all' && allNote,
    post.status === 'scheduled' && 'it was scheduled there, and is a draft',
    post.status === 'sent' && 'it was sent by mail only, and is a draft',
    format === 'markdown' && columnText(post, 'markdown') === null && 'it has no HTML: only its plain text was taken',
    mediaPath.test(value) && 'its films, sounds and files stay at the old site, whose address --url gives',
    (columnText(post, 'codeinjection_head') ?? columnText(post, 'codeinjection_foot')) !== null &&
      'its injected code was left out'
  ]
  return notes.filter(note => note !== false)
}

/** `caption`: HTML of the featured image's, for which a post has no place. */
function captionNotes(caption: string | null): string[] {
  const text = textOfHtml(caption ?? '')
  return text === '' ? [] : [`the caption of its picture was left out: ${cutText(oneLine(text), 200)}`]
}
