import type { Queryable } from '#core'
import { minPartLength } from '#text'
import type { WordRow } from './vocabulary.ts'

/** A term, and what it was found for. */
interface FoundTerm {
  asked: string | null
  term: string | null
}

/** A row without anything else says that there are no words at all. */
const noWords = 'where not exists (select from post_words)'

/** Whether the words are gone that others are compared with. */
export const hasNoWords = (rows: readonly { term: string | null }[]): boolean => rows.some(({ term }) => term === null)

/** Terms of words that begin with each of the prefixes, at most `limit` each, those of the shortest words first. */
export function listExpansions(db: Queryable, prefixes: readonly string[], limit: number): Promise<FoundTerm[]> {
  return db.query(
    `select prefix as asked, term from (
     select prefix, term, length from unnest($1::text[]) p (prefix) cross join lateral (
       select term, min(length(word)) as length from post_words where word >= prefix and word < prefix || U&'\\+10FFFF'
       group by term order by length, term limit $2
     ) as found
     union all select null, null, null ${noWords}
     ) as rows order by prefix, length, term`,
    [prefixes, limit]
  )
}

/** Words that begin or end with a part are looked at so far: each costs three lookups. */
const maxCandidates = 100

/**
 * Terms of compounds that each of the parts begins or ends, at most `limit` each, those of the shortest first. What is left of a
 * compound is a word of its own, without an `s` or `en` that joins both: so `nacht` has no `acht`.
 */
export function listCompounds(db: Queryable, parts: readonly string[], limit: number): Promise<FoundTerm[]> {
  return db.query(
    `select part as asked, term from (
     select part, term, length from unnest($1::text[]) p (part) cross join lateral (
       select term, min(length(word)) as length from (
         (select word, term, left(word, -length(part)) as rest, '(es|en)$' as long_joint, '[sn]$' as joint from post_words
            where in_compounds and reverse(word) >= reverse(part) collate "C"
              and reverse(word) < (reverse(part) || U&'\\+10FFFF') collate "C" limit ${maxCandidates})
         union all
         (select word, term, substr(word, length(part) + 1), '^(es|en)', '^[sn]' from post_words
            where in_compounds and word >= part and word < part || U&'\\+10FFFF' limit ${maxCandidates})
       ) as candidate
       where length(rest) >= ${minPartLength} and exists (
         select from post_words known where in_compounds and length(known.word) >= ${minPartLength}
           and known.word in (rest, regexp_replace(rest, joint, ''), regexp_replace(rest, long_joint, ''))
       )
       group by term order by length, term limit $2
     ) as found
     union all select null, null, null ${noWords}
     ) as rows order by part, length, term`,
    [parts, limit]
  )
}

/** Those of the words that texts have whose language writes compounds as one word. */
export async function listPartsAmong(db: Queryable, words: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ word: string }>(
    'select distinct word from post_words where in_compounds and word = any($1::text[])',
    [words]
  )
  return rows.map(({ word }) => word)
}

/** What each of misspelt words may mean. */
export function listSimilarWords(db: Queryable, words: readonly string[]): Promise<(WordRow & { asked: string })[]> {
  return db.query<WordRow & { asked: string }>(
    `select distinct w.word as asked, a.word, a.term, a.is_stem
     from unnest($1::text[]) w (word), posts_words_like(w.word) a`,
    [words]
  )
}

/** The words of texts that have these terms, and begin nearly as they do: with their first two letters, or all but the last two. */
export function listWordsOf(db: Queryable, terms: readonly string[]): Promise<Pick<WordRow, 'word' | 'term'>[]> {
  return db.query<Pick<WordRow, 'word' | 'term'>>(
    `select word, term from unnest($1::text[]) t (wanted)
     cross join lateral (select left(wanted, greatest(2, length(wanted) - 2)) as start) as beginning
     cross join lateral (
       select word, term from post_words
       where term = wanted and not is_stem and word >= start and word < start || U&'\\+10FFFF' order by word limit 50
     ) as found`,
    [terms]
  )
}
