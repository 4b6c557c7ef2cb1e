import type { Queryable } from 'galley/plugin'
import type { Reaction } from './index.ts'

const columns = 'reaction_id, post_id, kind, note, status, created_at'

export async function insertReaction(
  db: Queryable,
  { post_id, kind, note, status }: Pick<Reaction, 'post_id' | 'kind' | 'note' | 'status'>
): Promise<Reaction> {
  const [row] = await db.query<Reaction>(
    `insert into reactions (post_id, kind, note, status) values ($1, $2, $3, $4) returning ${columns}`,
    [post_id, kind, note, status]
  )
  return row as Reaction
}

/** Moves a held reaction; undefined when it does not wait, so that of two decisions one wins. */
export async function decideReaction(
  db: Queryable,
  reaction_id: string,
  status: 'shown' | 'rejected'
): Promise<Reaction | undefined> {
  const [row] = await db.query<Reaction>(
    `update reactions set status = $2 where reaction_id = $1 and status = 'held' returning ${columns}`,
    [reaction_id, status]
  )
  return row
}

export async function countByKind(db: Queryable, post_id: string): Promise<{ kind: string; count: number }[]> {
  return db.query(
    `select kind, count(*) as count from reactions where post_id = $1 and status = 'shown' group by kind order by kind`,
    [post_id]
  )
}

export interface KindCount {
  post_id: string
  kind: string
  count: number
}

/** The same for many posts. */
export const countByPost = (db: Queryable, post_ids: readonly string[]): Promise<KindCount[]> =>
  db.query(
    `select post_id, kind, count(*) as count from reactions where post_id = any($1::uuid[]) and status = 'shown'
     group by post_id, kind order by kind`,
    [post_ids]
  )

export async function countHeld(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from reactions where status = 'held'`)
  return row?.count ?? 0
}

export const listHeld = (db: Queryable, limit: number): Promise<Reaction[]> =>
  db.query(`select ${columns} from reactions where status = 'held' order by created_at, reaction_id limit $1`, [limit])

export const listNewest = (db: Queryable, limit: number): Promise<Reaction[]> =>
  db.query(`select ${columns} from reactions order by created_at desc, reaction_id limit $1`, [limit])

export async function deleteOfPost(db: Queryable, post_id: string): Promise<void> {
  await db.query('delete from reactions where post_id = $1', [post_id])
}
