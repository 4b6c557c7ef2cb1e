import type { Queryable } from '#core'
import type { WordRow } from './vocabulary.ts'

/** Terms of words that begin with each of the prefixes, at most `limit` each, those of the shortest words first. */
export function listExpansions(
  db: Queryable,
  prefixes: readonly string[],
  limit: number
): Promise<{ prefix: string; term: string }[]> {
  return db.query(
    `select prefix, term from unnest($1::text[]) p (prefix) cross join lateral (
       select term, min(length(word)) as length from post_words where word >= prefix and word < prefix || U&'\\FFFF'
       group by term order by length, term limit $2
     ) as found order by prefix, length, term`,
    [prefixes, limit]
  )
}

/** What each of misspelt words may mean. */
export function listSimilarWords(db: Queryable, words: readonly string[]): Promise<(WordRow & { asked: string })[]> {
  return db.query<WordRow & { asked: string }>(
    'select distinct w.word as asked, a.word, a.term from unnest($1::text[]) w (word), posts_words_like(w.word) a',
    [words]
  )
}
