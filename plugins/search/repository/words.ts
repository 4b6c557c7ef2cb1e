import type { Queryable } from '#core'

export interface LexemeRow {
  /** Of the text among those given, from 1 on. */
  text_no: number
  language: string
  lexeme: string
  position: number
}

/** What texts consist of in each language, in their order; `simple` gives the words as they are. A language leaves out its stop words. */
export function listLexemes(db: Queryable, texts: readonly string[], languages: readonly string[]) {
  return db.query<LexemeRow>(
    `select t.text_no, l.language, v.lexeme, position
     from unnest($1::text[]) with ordinality t (text, text_no), unnest($2::text[]) l (language),
       unnest(to_tsvector(l.language::regconfig, search_text(t.text))) v, unnest(v.positions) position
     order by t.text_no, l.language, position`,
    [texts, languages]
  )
}

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

/** A word of a post, and the term it is indexed by; a term stands for itself as well. */
export interface WordRow {
  word: string
  term: string
}

/** What each of misspelt words may mean. */
export function listSimilarWords(db: Queryable, words: readonly string[]): Promise<(WordRow & { asked: string })[]> {
  return db.query<WordRow & { asked: string }>(
    'select distinct w.word as asked, a.word, a.term from unnest($1::text[]) w (word), posts_words_like(w.word) a',
    [words]
  )
}
