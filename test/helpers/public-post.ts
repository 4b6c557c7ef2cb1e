import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type DraftedPost, PostsService } from '#plugins/posts'
import type { TestService } from './service.ts'

/** Makes a public post; its slug comes from the title. */
export async function makePublicPost({ kernel, db }: TestService, fields: Partial<DraftedPost> & { title: string }) {
  const posts = kernel.service(PostsService)
  assert.ok(posts !== undefined)
  const draft = { excerpt: '', category: null, tags: [], niche_slug: null, seo_keywords: [], task_id: randomUUID() }
  return db.transaction(async tx => {
    const { post_id } = await posts.saveDraft(tx, { ...draft, content: `Text of ${fields.title}.`, ...fields })
    return posts.publish(tx, post_id, { actor: 'operator' })
  })
}
