import type { Queryable } from '#core'
import type { SummaryRow } from '../representation.ts'
import { summaryColumns } from './columns.ts'

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
     from posts where status = 'published'`
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

/** Those among the posts that have the phrase word for word. */
export async function listWithPhrase(
  db: Queryable,
  post_nos: readonly number[],
  { text, hasIdleWords }: Phrase,
  languages: readonly string[]
): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    `with asked as (
       select l.language, phraseto_tsquery(l.language::regconfig, search_text($2)) as phrase, (
         -- The index has compared the words that say something: of those the beginning is enough.
         select '\\m' || string_agg(
           case to_tsvector(l.language::regconfig, word) when '' then word else left(word, 3) || '\\w*' end, '\\W+' order by place
         ) || '\\M'
         from regexp_split_to_table(lower(search_text($2)), '\\W+') with ordinality w (word, place) where word <> ''
       ) as pattern
       from unnest($3::text[]) l (language)
     )
     select post_no from posts join asked on search_language = language
     where post_no = any($1::int[]) and search @@ phrase
       and (not $4::boolean or search_text(concat_ws(E'\\n', title, excerpt, content)) ~* pattern)`,
    [post_nos, text, languages, hasIdleWords]
  )
  return rows.map(row => row.post_no)
}

/** Terms of words that begin with `prefix`, the shortest first. */
export async function listCompletions(db: Queryable, prefix: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ term: string }>(
    `select term from post_words where word >= $1 and word < $1 || U&'\\FFFF'
     group by term order by min(length(word)), term limit $2`,
    [prefix, limit]
  )
  return rows.map(row => row.term)
}

/** A word of a post, and the term it is indexed by; a term stands for itself as well. */
export interface WordRow {
  word: string
  term: string
}

/** What misspelt words may mean. */
export function listAlikeWords(db: Queryable, words: readonly string[]): Promise<WordRow[]> {
  return db.query<WordRow>(
    'select distinct a.word, a.term from unnest($1::text[]) w (word), posts_words_like(w.word) a',
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
  const rows = await db.query<{ post_id: string }>('select post_id from posts where post_no = any($1::int[])', [
    post_nos
  ])
  return rows.map(row => row.post_id)
}

export type FoundRow = SummaryRow & { post_no: number; content: string }

/** The public posts with these numbers, with as much of their text as is looked through for a snippet. */
export function listFound(db: Queryable, post_nos: readonly number[], textLength: number): Promise<FoundRow[]> {
  return db.query<FoundRow>(
    `select ${summaryColumns}, post_no, left(content, $2) as content from public_posts where post_no = any($1::int[])`,
    [post_nos, textLength]
  )
}

export type VersionRow = Pick<SummaryRow, 'post_id' | 'revision' | 'updated_at'> & { post_no: number }

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
