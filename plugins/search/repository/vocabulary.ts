import type { Queryable, Tx } from '#core'
import type { WordOfTerm } from '../inverted-index/segment-builder.ts'

/** A word as texts have it, and the term it is indexed by; a term stands for itself as well, and then `is_stem`. */
export interface WordRow {
  word: string
  term: string
  is_stem: boolean
}

/** Adds words to those that the words of a query are compared with. Returns how many are new, or new in compounds or texts. */
export async function addWords(tx: Tx, words: readonly (WordRow & WordOfTerm)[]): Promise<number> {
  const rows = await tx.query(
    `insert into post_words (word, term, in_compounds, is_stem)
     select word, term, bool_or(in_compounds = 1), bool_and(is_stem = 1)
     from unnest($1::text[], $2::text[], $3::int[], $4::int[]) as given (word, term, in_compounds, is_stem)
     where not exists (select from post_words known where known.word = given.word and known.term = given.term
       and known.in_compounds::int >= given.in_compounds and known.is_stem::int <= given.is_stem)
     group by word, term order by 1, 2
     on conflict (word, term) do update set in_compounds = post_words.in_compounds or excluded.in_compounds,
       is_stem = post_words.is_stem and excluded.is_stem
     returning 1 as added`,
    [
      words.map(({ word }) => word),
      words.map(({ term }) => term),
      words.map(({ in_compounds }) => (in_compounds ? 1 : 0)),
      words.map(({ is_stem }) => (is_stem ? 1 : 0))
    ]
  )
  return rows.length
}

/** How many of these terms no word stands for. Each term of the index should stand at least for itself. */
export async function countWithoutWord(db: Queryable, terms: readonly string[]): Promise<number> {
  const [row] = await db.query<{ missing: number }>(
    `select count(*)::int as missing from unnest($1::text[]) as given (term)
     where not exists (select from post_words where word = given.term)`,
    [terms]
  )
  return row?.missing ?? 0
}

/** Has each of these terms stand for itself at least. Returns how many did not. */
export async function addStems(tx: Tx, terms: readonly string[]): Promise<number> {
  const rows = await tx.query(
    `insert into post_words (word, term, is_stem)
     select distinct term, term, true from unnest($1::text[]) as given (term)
     where not exists (select from post_words where word = given.term)
     order by 1 on conflict (word, term) do nothing returning 1 as added`,
    [terms]
  )
  return rows.length
}

/** Whether misspelt words are looked up by trigrams. */
export async function hasTrigrams(db: Queryable): Promise<boolean> {
  const rows = await db.query("select 1 as found from pg_extension where extname = 'pg_trgm'")
  return rows.length > 0
}
