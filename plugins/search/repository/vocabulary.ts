import type { Queryable, Tx } from '#core'

/** A word as texts have it, and the term it is indexed by; a term stands for itself as well. */
export interface WordRow {
  word: string
  term: string
}

/** Adds words to those that misspelt words are compared with. Returns how many are new. */
export async function addWords(tx: Tx, words: readonly WordRow[]): Promise<number> {
  const rows = await tx.query(
    `insert into post_words (word, term) select distinct word, term from unnest($1::text[], $2::text[]) as given (word, term)
     order by 1, 2 on conflict do nothing returning 1 as added`,
    [words.map(({ word }) => word), words.map(({ term }) => term)]
  )
  return rows.length
}

/** Whether misspelt words are looked up by trigrams. */
export async function hasTrigrams(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 as found from pg_extension where extname = 'pg_trgm'")
  return rows.length > 0
}
