import type { Queryable, StatementOptions } from '#core'

/** Words side by side. */
export interface Phrase {
  text: string
  /** Some of them are stop words: the index does not have those, and they are looked for in the text. */
  hasStopWords: boolean
}

export interface PhraseQuery {
  /** Numbers of the posts to verify, in their order. */
  posts: readonly number[]
  phrases: readonly Phrase[]
  languages: readonly string[]
  /** Bytes of text to read: the posts after them have no row. */
  maxTextBytes: number
}

/** A verified post, with the phrases it has word for word: their indexes among those asked for, from 1 on. */
export interface PhraseRow {
  post_no: number
  found: number[]
}

/** A longer text is not read: there it is enough that the indexed words stand as in the phrase. */
const maxPatternBytes = 100_000

/** The phrases that these posts have. One post at least is verified. */
export function listWithPhrases(
  db: Queryable,
  { posts, phrases, languages, maxTextBytes }: PhraseQuery,
  options: StatementOptions
): Promise<PhraseRow[]> {
  return db.query<PhraseRow>(
    `with asked as materialized (
       select l.language, p.phrase_no::int, phraseto_tsquery(l.language::regconfig, search_text(p.text)) as phrase, has_stop_words, (
         -- The index has compared the words that are no stop words: of those the beginning is enough.
         select '\\m' || string_agg(
           case to_tsvector(l.language::regconfig, word) when '' then word else left(word, 3) || '\\w*' end, '\\W+' order by position
         ) || '\\M'
         from regexp_split_to_table(lower(search_text(p.text)), '\\W+') with ordinality w (word, position) where word <> ''
       ) as pattern
       from unnest($2::text[], $3::int[]) with ordinality p (text, stops, phrase_no), unnest($4::text[]) l (language),
         lateral (select p.stops = 1 as has_stop_words) i
     ), sized as materialized (
       select post_no, sum(octet_length(content)) over (order by position) - octet_length(content) as text_before
       from unnest($1::int[]) with ordinality c (post_no, position) join indexed_posts using (post_no)
     )
     select post_no, coalesce(found, '{}') as found
     from sized join indexed_posts using (post_no)
       -- Unpacked once, not for each phrase.
       cross join lateral (select search || ''::tsvector as words offset 0) as unpacked
       cross join lateral (
         select array_agg(phrase_no) as by_index, bool_or(has_stop_words) as needs_text from asked
         where language = search_language and words @@ phrase
       ) as matched
       cross join lateral (
         select case when needs_text and octet_length(content) <= ${maxPatternBytes}
           then search_text(concat_ws(E'\n', title, excerpt, content)) end as text offset 0
       ) as reading
       cross join lateral (
         select array_agg(phrase_no) as found from asked
         where phrase_no = any(by_index) and language = search_language
           and (not has_stop_words or text is null or text ~* pattern)
       ) as verified
     where text_before < $5`,
    [
      posts,
      phrases.map(({ text }) => text),
      phrases.map(({ hasStopWords }) => Number(hasStopWords)),
      languages,
      maxTextBytes
    ],
    options
  )
}
