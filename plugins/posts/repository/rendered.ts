import type { Tx } from '#core'

/** How long a post is, before it is read. */
export interface PostLength {
  post_id: string
  bytes: number
}

/** By id, from after `from` on. The length of a stored text is known without reading it. */
export async function listLengths(tx: Tx, from: string | null, limit: number): Promise<PostLength[]> {
  return tx.query<PostLength>(
    `select post_id, octet_length(content) as bytes from posts where $1::uuid is null or post_id > $1
     order by post_id limit $2`,
    [from, limit]
  )
}

export async function listPostContents(
  tx: Tx,
  post_ids: readonly string[]
): Promise<{ post_id: string; content: string }[]> {
  return tx.query('select post_id, content from posts where post_id = any($1::uuid[])', [post_ids])
}

/** What a post's markdown makes. */
export interface RenderedPost {
  post_id: string
  content_html: string
  word_count: number
}

/** Answers the posts that had something else. */
export async function replaceRendered(tx: Tx, posts: readonly RenderedPost[]): Promise<{ post_id: string }[]> {
  return tx.query<{ post_id: string }>(
    `update posts p set content_html = r.html, word_count = r.words
     from unnest($1::uuid[], $2::text[], $3::int[]) as r (id, html, words)
     where p.post_id = r.id and (p.content_html, p.word_count) is distinct from (r.html, r.words)
     returning p.post_id`,
    [posts.map(post => post.post_id), posts.map(post => post.content_html), posts.map(post => post.word_count)]
  )
}
