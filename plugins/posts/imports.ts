import { InputError, type Tx } from '#core'
import type { ImportDecision, ImportedPost, PostImports } from './contract/imports.ts'
import type { PostRef } from './contract/post-ref.ts'
import type { DeferAnnouncements } from './contract/slots.ts'
import { patchFaults } from './edits.ts'
import { categoryOf, type Label, labelsOf } from './labels.ts'
import { refOf } from './posts.ts'
import { ensureCategory } from './repository/catalogue.ts'
import { insertHistory } from './repository/history.ts'
import { type ImportedRow, insertImported, keepUpdated, listTakenSlugs } from './repository/imports.ts'
import type { LockedPost } from './repository/locked-post.ts'
import { analyzePosts } from './repository/statistics.ts'
import { reservedSlugs, slugOf, suffixedSlug } from './slug.ts'
import { statusAfter } from './states.ts'
import type { PostTransitions } from './transitions.ts'

interface PostImportDeps {
  transitions: PostTransitions
  deferAnnouncements: DeferAnnouncements
  siteLanguage(): string
}

export function createPostImports({ transitions, deferAnnouncements, siteLanguage }: PostImportDeps): PostImports {
  return {
    slugOf: plainSlug,
    faultsOf,
    insert: (tx, posts, by) => insertAll(tx, transitions, posts, by),
    deferAnnouncements,
    analyze: analyzePosts,
    listTaken: listTakenSlugs,
    siteLanguage
  }
}

const plainSlug = ({ slug, title }: Pick<ImportedPost, 'slug' | 'title'>): string => {
  const plain = slugOf(slug) || slugOf(title)
  return reservedSlugs.has(plain) ? '' : plain
}

function faultsOf(post: ImportedPost): Readonly<Record<string, string>> {
  const { title, excerpt, category, tags, seo_title, seo_description, featured_image_url, language, author } = post
  return patchFaults({
    title,
    excerpt,
    category,
    tags,
    seo_title,
    seo_description,
    featured_image_url,
    language,
    author
  })
}

async function insertAll(
  tx: Tx,
  transitions: PostTransitions,
  posts: readonly ImportedPost[],
  { announce, ...by }: ImportDecision
): Promise<PostRef[]> {
  for (const post of posts) {
    const faults = faultsOf(post)
    if (Object.keys(faults).length > 0) throw new InputError(faults)
  }
  await ensureCategories(tx, posts)
  const rows = await insertRows(tx, posts, by.actor)
  await recordImports(tx, rows, by)
  const waiting = rows.filter(({ status }) => status === 'awaiting_approval')
  const published = await transitions.applyMany(
    tx,
    waiting.map(post => ({ post, action: 'publish' })),
    by,
    { announce }
  )
  await transitions.touch(tx)
  await keepDates(tx, posts, rows)
  const moved = new Map(published.map(row => [row.post_id, row]))
  return rows.map(row => refOf(moved.get(row.post_id) ?? row))
}

/** In one order, so that two imports at once do not wait for each other. */
async function ensureCategories(tx: Tx, posts: readonly ImportedPost[]): Promise<void> {
  const labels = posts.map(({ category }) => categoryOf(category)).filter(label => label !== null)
  const bySlug = new Map<string, Label>(labels.map(label => [label.slug, label]))
  for (const slug of [...bySlug.keys()].sort()) {
    const label = bySlug.get(slug)
    if (label !== undefined) await ensureCategory(tx, label)
  }
}

/** In rounds: of posts that ask for the same slug one gets it, and the others another in the next round. */
async function insertRows(tx: Tx, posts: readonly ImportedPost[], actor: string): Promise<LockedPost[]> {
  const inserted = new Map<ImportedPost, LockedPost>()
  const isLeft = (post: ImportedPost) => !inserted.has(post)
  for (let round = 0; posts.some(isLeft); round += 1) {
    const bySlug = new Map<string, ImportedPost>()
    for (const post of posts.filter(isLeft)) {
      const slug = (round === 0 && plainSlug(post)) || suffixedSlug(slugOf(post.slug) || post.title)
      if (!bySlug.has(slug)) bySlug.set(slug, post)
    }
    const rows = await insertImported(
      tx,
      [...bySlug].map(([slug, post]) => rowOf(post, slug, actor))
    )
    for (const row of rows) {
      const post = bySlug.get(row.slug)
      if (post !== undefined) inserted.set(post, row)
    }
  }
  return posts.flatMap(post => inserted.get(post) ?? [])
}

function rowOf(post: ImportedPost, slug: string, created_by: string): ImportedRow {
  const { title, content, rendered, published_at, created_at } = post
  const tags = labelsOf(post.tags)
  return {
    slug,
    title,
    excerpt: post.excerpt?.trim() || rendered.excerpt,
    content,
    content_html: rendered.content_html,
    word_count: rendered.word_count,
    status: statusAfter(null, actionOf(post)),
    category: categoryOf(post.category)?.slug ?? null,
    tags: tags.map(tag => tag.name),
    tag_slugs: tags.map(tag => tag.slug),
    created_by,
    seo_title: post.seo_title,
    seo_description: post.seo_description,
    featured_image_url: post.featured_image_url,
    language: post.language,
    author: post.author,
    published_at: published_at?.toISOString() ?? null,
    created_at: created_at?.toISOString() ?? null
  }
}

const actionOf = ({ published_at }: ImportedPost) => (published_at === null ? 'create' : 'submit')

function recordImports(
  tx: Tx,
  rows: readonly LockedPost[],
  { actor, reason }: { actor: string; reason: string }
): Promise<void> {
  return insertHistory(
    tx,
    rows.map(({ post_id, status }) => ({
      post_id,
      action: status === 'draft' ? 'create' : 'submit',
      from_status: null,
      to_status: status,
      actor,
      detail: { reason }
    }))
  )
}

/** After the publication, which is a change of now to everybody else. */
async function keepDates(tx: Tx, posts: readonly ImportedPost[], rows: readonly LockedPost[]): Promise<void> {
  const edited = posts.flatMap(({ updated_at }, index) => {
    const row = rows[index]
    return updated_at === null || row === undefined
      ? []
      : [{ post_id: row.post_id, updated_at: updated_at.toISOString() }]
  })
  if (edited.length > 0) await keepUpdated(tx, edited)
}
