import { NotFoundError, type Queryable } from '#core'
import { findById } from '../repository/reads.ts'
import type { PostRow } from '../repository/rows.ts'

export const postNotFound = (post_id: string) => new NotFoundError(`There is no post ${post_id}.`)

/** A post of any status, as clients with a token see it. @throws NotFoundError */
export async function requirePost(db: Queryable, post_id: string): Promise<PostRow> {
  const post = await findById(db, post_id)
  if (post === undefined) throw postNotFound(post_id)
  return post
}
