import type { Tx } from '#core'
import type { PostRef } from './contract/post-ref.ts'
import type { Rendered } from './contract/rendered.ts'
import { writeEdit } from './edits.ts'
import type { DraftedPost } from './index.ts'
import { categoryOf, labelsOf } from './labels.ts'
import { refOf } from './posts.ts'
import { renderText } from './rendering/render-text.ts'
import { ensureCategory } from './repository/catalogue.ts'
import { insertWithFreeSlug } from './repository/creation.ts'
import { type LockedPost, lockPostOfTask } from './repository/locked-post.ts'
import { slugCandidates } from './slug.ts'
import { statusAfter } from './states.ts'
import type { PostTransitions } from './transitions.ts'

type RenderedDraft = DraftedPost & { rendered: Rendered }

/** Drafts of the pipeline: the first makes its task's post, each further one replaces its title, excerpt and content. */
export async function savePipelineDraft(tx: Tx, transitions: PostTransitions, draft: DraftedPost): Promise<PostRef> {
  const existing = await lockPostOfTask(tx, draft.task_id)
  const rendered = draft.rendered ?? (await renderText(draft.content, 'pipeline'))
  const whole = { ...draft, rendered }
  return existing === undefined ? insertDraft(tx, transitions, whole) : updateDraft(tx, transitions, existing, whole)
}

async function insertDraft(tx: Tx, transitions: PostTransitions, draft: RenderedDraft): Promise<PostRef> {
  const category = categoryOf(draft.category)
  if (category !== null) await ensureCategory(tx, category)
  const tags = labelsOf(draft.tags)
  const { content_html, word_count } = draft.rendered
  const post = {
    title: draft.title,
    excerpt: draft.excerpt,
    content: draft.content,
    content_html,
    word_count,
    status: statusAfter(null, 'submit'),
    category: category?.slug ?? null,
    niche_slug: draft.niche_slug,
    metadata: {},
    tags: tags.map(tag => tag.name),
    tag_slugs: tags.map(tag => tag.slug),
    seo_keywords: draft.seo_keywords,
    task_id: draft.task_id,
    body_hash: null,
    created_by: 'pipeline'
  }
  const inserted = await insertWithFreeSlug(tx, post, slugCandidates(draft.title))
  if (inserted === undefined) throw new TypeError('The candidates for a slug never end.')
  const { post_id, status } = inserted
  await transitions.record(tx, post_id, { action: 'submit', from_status: null, to_status: status, actor: 'pipeline' })
  return refOf(inserted)
}

/** The task's next draft replaces the text and waits for approval again. Everything else stays as the first draft, or an edit, left it. */
async function updateDraft(
  tx: Tx,
  transitions: PostTransitions,
  post: LockedPost,
  draft: RenderedDraft
): Promise<PostRef> {
  const row = await transitions.apply(tx, { post, action: 'submit' }, { actor: 'pipeline' })
  const { title, excerpt, content, rendered } = draft
  const submitted = { ...post, status: row.status }
  const edit = { patch: { title, excerpt, content }, rendered }
  const { content_hash } = await writeEdit(tx, transitions, submitted, edit, { actor: 'pipeline' })
  return { ...refOf(row), title, content_hash }
}
