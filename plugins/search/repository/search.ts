import type { Queryable, StatementOptions } from '#core'

export interface LexemeRow {
  /** Of the text among those given, from 1 on. */
  text_no: number
  language: string
  lexeme: string
  place: number
}

/** What texts consist of in each language, in their order; `simple` gives the words as they are. A language leaves out words that say nothing. */
export function listLexemes(db: Queryable, texts: readonly string[], languages: readonly string[]) {
  return db.query<LexemeRow>(
    `select t.text_no, l.language, v.lexeme, place
     from unnest($1::text[]) with ordinality t (text, text_no), unnest($2::text[]) l (language),
       unnest(to_tsvector(l.language::regconfig, search_text(t.text))) v, unnest(v.positions) place
     order by t.text_no, l.language, place`,
    [texts, languages]
  )
}

export interface PostingsRow {
  term: string
  /** 10 bytes each: see the table's own words. */
  postings: Buffer
}

/** The lists of terms, posts of any status; a term that no post has is left out. */
export function listPostings(db: Queryable, terms: readonly string[]): Promise<PostingsRow[]> {
  return db.query<PostingsRow>(
    `select term, string_agg(posting, ''::bytea) as postings from post_terms where term = any($1::text[]) group by term`,
    [terms]
  )
}

export interface PublishedRow {
  /** 8 bytes a published post: its number, and published_at in seconds since 2000; null without any. */
  published: Buffer | null
  /** Of a post, on average. */
  words: number
  /** The database's clock, in seconds since 2000. */
  seconds: number
}

/** Which of the posts indexed are published, and when. */
export async function readPublished(db: Queryable): Promise<PublishedRow> {
  const [row] = await db.query<PublishedRow>(
    `select string_agg(int4send(post_no) || int4send(ceil(extract(epoch from published_at) - 946684800)::int), ''::bytea) as published,
       coalesce(avg(search_words), 1)::float8 as words, ceil(extract(epoch from now()) - 946684800)::int as seconds
     from indexed_posts where status = 'published'`
  )
  if (row === undefined) throw new TypeError('An aggregate answered no row.')
  return row
}

/** Words side by side. */
export interface Phrase {
  text: string
  /** Whether some of them say nothing: the index does not have those, and they are looked for in the text. */
  hasIdleWords: boolean
}

export interface PhraseQuery {
  /** Numbers of the posts to look at, in their order. */
  posts: readonly number[]
  phrases: readonly Phrase[]
  languages: readonly string[]
  /** Bytes of text to look at: the posts behind them have no row. */
  mostText: number
}

/** A post looked at, with the phrases it has word for word: their places among those asked for, from 1 on. */
export interface PhraseRow {
  post_no: number
  found: number[]
}

/** In a longer text the words that the index has must stand as in the phrase, and that is enough: to read it takes too long. */
const longestRead = 100_000

/** The phrases that these posts have. One post at least is looked at. */
export function listWithPhrases(
  db: Queryable,
  { posts, phrases, languages, mostText }: PhraseQuery,
  options: StatementOptions
): Promise<PhraseRow[]> {
  return db.query<PhraseRow>(
    `with asked as materialized (
       select l.language, p.phrase_no::int, phraseto_tsquery(l.language::regconfig, search_text(p.text)) as phrase, has_idle_words, (
         -- The index has compared the words that say something: of those the beginning is enough.
         select '\\m' || string_agg(
           case to_tsvector(l.language::regconfig, word) when '' then word else left(word, 3) || '\\w*' end, '\\W+' order by place
         ) || '\\M'
         from regexp_split_to_table(lower(search_text(p.text)), '\\W+') with ordinality w (word, place) where word <> ''
       ) as pattern
       from unnest($2::text[], $3::int[]) with ordinality p (text, idle, phrase_no), unnest($4::text[]) l (language),
         lateral (select p.idle = 1 as has_idle_words) i
     ), sized as materialized (
       select post_no, sum(octet_length(content)) over (order by place) - octet_length(content) as text_before
       from unnest($1::int[]) with ordinality c (post_no, place) join indexed_posts using (post_no)
     )
     select post_no, coalesce(found, '{}') as found
     from sized join indexed_posts using (post_no)
       -- Unpacked once, not for each phrase.
       cross join lateral (select search || ''::tsvector as words offset 0) as unpacked
       cross join lateral (
         select array_agg(phrase_no) as by_index, bool_or(has_idle_words) as needs_text from asked
         where language = search_language and words @@ phrase
       ) as matched
       cross join lateral (
         select case when needs_text and octet_length(content) <= ${longestRead}
           then search_text(concat_ws(E'\n', title, excerpt, content)) end as text offset 0
       ) as reading
       cross join lateral (
         select array_agg(phrase_no) as found from asked
         where phrase_no = any(by_index) and language = search_language
           and (not has_idle_words or text is null or text ~* pattern)
       ) as verified
     where text_before < $5`,
    [
      posts,
      phrases.map(({ text }) => text),
      phrases.map(({ hasIdleWords }) => Number(hasIdleWords)),
      languages,
      mostText
    ],
    options
  )
}

/** Terms of words that begin with each of the prefixes, at most `limit` each, those of the shortest words first. */
export function listCompletions(
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
export function listAlikeWords(db: Queryable, words: readonly string[]): Promise<(WordRow & { asked: string })[]> {
  return db.query<WordRow & { asked: string }>(
    'select distinct w.word as asked, a.word, a.term from unnest($1::text[]) w (word), posts_words_like(w.word) a',
    [words]
  )
}

export interface PlaceRow {
  post_id: string
  post_no: number
  /** published_at in seconds since 2000. */
  seconds: number
}

/** Where the public posts among these stand in the index. */
export function listPlaces(db: Queryable, post_ids: readonly string[]): Promise<PlaceRow[]> {
  return db.query<PlaceRow>(
    `select post_id, post_no, ceil(extract(epoch from published_at) - 946684800)::int as seconds
     from public_posts where post_id = any($1::uuid[])`,
    [post_ids]
  )
}

/** The ids of posts, by their numbers. */
export async function listIds(db: Queryable, post_nos: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>('select post_id from indexed_posts where post_no = any($1::int[])', [
    post_nos
  ])
  return rows.map(row => row.post_id)
}

export interface VersionRow {
  post_no: number
  post_id: string
  revision: number
  updated_at: string
}

/** Of the public posts with these numbers, what tells whether they are as they were. */
export function listVersions(db: Queryable, post_nos: readonly number[]): Promise<VersionRow[]> {
  return db.query<VersionRow>(
    'select post_no, post_id, revision, updated_at from public_posts where post_no = any($1::int[])',
    [post_nos]
  )
}

export interface SubjectRow {
  post_no: number
  title: string
  beginning: string
  /** Those it says most, in the title and headings above all. */
  terms: string[]
}

/** The public post with this slug, as others are compared with it. */
export async function findSubject(db: Queryable, slug: string, terms: number, textLength: number) {
  const [row] = await db.query<SubjectRow>(
    `select post_no, title, left(content, $3) as beginning, array(
       select lexeme from unnest(search) where length(lexeme) between 2 and 100
       order by cardinality(positions) + 3 * cardinality(array_positions(weights, 'A'))
         + cardinality(array_positions(weights, 'B')) desc, lexeme limit $2
     ) as terms
     from public_posts where slug = $1`,
    [slug, terms, textLength]
  )
  return row
}
