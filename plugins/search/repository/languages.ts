import type { Queryable, Tx } from '#core'

/** The languages posts are indexed in; the current one first, others while a change is under way. */
export async function listLanguages(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ language: string }>(
    'select language from search_languages order by is_current desc, language'
  )
  return rows.length === 0 ? ['english'] : rows.map(row => row.language)
}

/** From now on posts are indexed in this language. */
export async function beginLanguage(tx: Tx, language: string): Promise<void> {
  await tx.query('update search_languages set is_current = false where is_current')
  await tx.query(
    `insert into search_languages (language, is_current) select distinct search_language, false from indexed_posts
     on conflict do nothing`
  )
  await tx.query(
    `insert into search_languages (language, is_current) values ($1, true)
     on conflict (language) do update set is_current = true`,
    [language]
  )
}

/** How far a change to the language is. */
export async function countIndexed(db: Queryable, language: string): Promise<{ indexed: number; posts: number }> {
  const [row] = await db.query<{ indexed: number; posts: number }>(
    'select count(*) filter (where search_language = $1)::int as indexed, count(*)::int as posts from indexed_posts',
    [language]
  )
  return row ?? { indexed: 0, posts: 0 }
}

/** Forgets languages that no post is indexed in any more. */
export async function endLanguages(tx: Tx): Promise<void> {
  await tx.query(
    `delete from search_languages l
     where not is_current and not exists (select from indexed_posts where search_language = l.language)`
  )
}
