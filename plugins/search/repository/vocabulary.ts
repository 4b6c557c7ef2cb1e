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

/** Indexes some of the posts that are not in this language yet; answers how many. */
export async function reindexSome(tx: Tx, language: string, limit: number): Promise<number> {
  const rows = await tx.query(
    `update indexed_posts set search_language = $1 where post_id in (
       select post_id from indexed_posts where search_language <> $1 order by post_id limit $2 for update skip locked
     ) returning post_id`,
    [language, limit]
  )
  return rows.length
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

/** What search reads of a post. */
export interface SearchedText {
  search_language: string
  title: string
  excerpt: string
  body: string
}

/** Of the public posts among these. */
export async function listSearchedTexts(db: Queryable, post_ids: readonly string[]): Promise<SearchedText[]> {
  return await db.query<SearchedText>(
    `select search_language, title, excerpt, left(content, 200000) as body
     from public_posts where post_id = any($1::uuid[])`,
    [post_ids]
  )
}

/**
 * Adds the words in these pieces of texts, and their terms, to those that misspelt words are compared with; answers how many are
 * new. Terms are those of the texts' language and of any that posts are indexed in by now.
 */
export async function addWords(tx: Tx, language: string, pieces: readonly string[]): Promise<number> {
  const rows = await tx.query(
    `with found as materialized (
       select distinct word, term
       from (select $1 as language union select language from search_languages) l,
         unnest($2::text[]) piece, unnest(to_tsvector('simple', search_text(piece))) s (word),
         unnest(to_tsvector(language::regconfig, word)) v (term)
       where length(word) <= 100
     )
     insert into post_words (word, term)
     select word, term from found union select term, term from found where length(term) <= 100
     order by 1, 2
     on conflict do nothing returning 1 as added`,
    [language, pieces]
  )
  return rows.length
}

/** Adds the terms of every public post, and those that the words known have in its language. */
export async function addAllWords(tx: Tx): Promise<void> {
  await tx.query(
    `insert into post_words (word, term)
     select w.word, term
     from search_languages l, (select distinct word from post_words) w, unnest(to_tsvector(l.language::regconfig, w.word)) v (term)
     union select lexeme, lexeme from public_posts, unnest(search) where length(lexeme) <= 100
     order by 1, 2
     on conflict do nothing`
  )
}

/** Whether misspelt words are looked up by trigrams. */
export async function hasTrigrams(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 as found from pg_extension where extname = 'pg_trgm'")
  return rows.length > 0
}
