import type { Tx } from '#core'

/** Indexes at most `limit` posts in this language that are indexed in another. @returns how many */
export async function indexInLanguage(tx: Tx, language: string, limit: number): Promise<number> {
  const rows = await tx.query(
    `update posts set search_language = $1 where post_id in (
       select post_id from posts where search_language <> $1 order by post_id limit $2 for update skip locked
     ) returning post_id`,
    [language, limit]
  )
  return rows.length
}
