import type { Queryable, Tx } from '#core'

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
 * Adds the words in these tokens of texts, and their terms, to those that misspelt words are compared with. Returns how many are
 * new. Terms are those of the texts' language and of any that posts are indexed in by now.
 */
export async function addWords(tx: Tx, language: string, tokens: readonly string[]): Promise<number> {
  const rows = await tx.query(
    `with found as materialized (
       select distinct word, term
       from (select $1 as language union select language from search_languages) l,
         unnest($2::text[]) token, unnest(to_tsvector('simple', search_text(token))) s (word),
         unnest(to_tsvector(language::regconfig, word)) v (term)
       where length(word) <= 100
     )
     insert into post_words (word, term)
     select word, term from found union select term, term from found where length(term) <= 100
     order by 1, 2
     on conflict do nothing returning 1 as added`,
    [language, tokens]
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
