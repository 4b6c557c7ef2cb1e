/**
 * A post as an engine gets it. Galley has analysed its text: a word stands as its term, a stop word as `=` and the word. A term
 * has no blank. So every engine splits at blanks and does nothing else, and finds what the language rules of galley say.
 */
export interface EngineDocument {
  /** 1 and more; the document's key. */
  readonly post_no: number
  /** Grows with each change. A document never replaces one of a later revision, nor is it found after a later removal. */
  readonly revision: number
  /** In seconds since 2000; may be in the future. */
  readonly published: number
  /** Slugs. */
  readonly category: string | null
  readonly tags: readonly string[]
  /** First part of the BCP 47 tag, in lower case; null for that of the site. */
  readonly language: string | null
  /** Words of the title in their order, in lower case and without accents: what suggestions begin with. */
  readonly titleWords: readonly string[]
  /** Title, excerpt and text as terms with blanks between them. Phrases are looked for in them; none reaches from one into the next. */
  readonly fields: readonly string[]
  /**
   * Further occurrences of terms, without a position. BM25 counts those in `fields` and in `boostTerms`. Each counts as half a mention in
   * the text: with k1 doubled, title and headings have the weights that galley gives them.
   */
  readonly boostTerms: readonly string[]
}

/** A post that is to be found no more. */
export type EngineRemoval = Pick<EngineDocument, 'post_no' | 'revision'>

/** What became of a document or removal. `busy`: the engine has no room now. `refused`: it will never take it; `reason` says why. */
export interface EngineWrite {
  readonly post_no: number
  /** `done` also where the engine has a later revision. */
  readonly outcome: 'done' | 'busy' | 'refused'
  readonly reason?: string
}

/** Words side by side: at each place one of these terms. */
export type EnginePhrase = readonly (readonly string[])[]

/** One way to have what is asked for: of each of the words one of its terms, and the phrase. */
export interface EngineAlternative {
  readonly words: readonly (readonly string[])[]
  readonly phrase: EnginePhrase | undefined
}

/** What posts are chosen by beside their words. `until` is now: what is published later is not found. In seconds since 2000. */
export interface EngineFilter {
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly language?: { readonly tag: string; readonly isOfSite: boolean } | undefined
  readonly from?: number | undefined
  readonly before?: number | undefined
  readonly until: number
}

export interface EngineQuery {
  /** What counts: a document scores by BM25 for each word it has, by that of its terms that scores most. `weight` multiplies. */
  readonly words: readonly { readonly terms: readonly string[]; readonly weight: number }[]
  /** A document has at least one of `words`. */
  readonly hasWord: boolean
  /** It has one alternative of each. */
  readonly required: readonly (readonly EngineAlternative[])[]
  readonly excluded: readonly EngineAlternative[]
  readonly filter: EngineFilter
  /** At most 10,000. */
  readonly limit: number
}

/** What a query finds, best first. It is compared with the database: what is not public, or unknown, is left out there. */
export interface EngineHits {
  readonly hits: readonly { readonly post_no: number; readonly score: number }[]
  /** There are more than `limit`. */
  readonly hasMore: boolean
}

/** What a reader has typed so far. */
export interface EngineSuggestQuery {
  /** Of the title; the last one is a beginning. At least one. */
  readonly words: readonly string[]
  readonly limit: number
  /** As in a filter. */
  readonly until: number
}

/** Suggested for it. */
export interface EngineSuggestions {
  /** Posts whose titles have the words: first those that begin with the first, then the newest. */
  readonly post_nos: readonly number[]
  /** Words of titles that begin with the last word, without it: those of most titles first. */
  readonly completions: readonly string[]
}

/** A document as a verification compares it. */
export interface EngineEntry {
  readonly post_no: number
  readonly revision: number
}

export interface EngineStatus {
  /** Name and version: `opensearch 3.3.0`. */
  readonly engine: string
  /** Name of the index that answers; null when there is none. */
  readonly index: string | null
  readonly documents: number
  readonly bytes: number
  /** Why it takes no changes, as a sentence with what to do; null when it does. */
  readonly readOnly: string | null
}

/** Takes the documents of an index that is not asked yet. */
export interface NewIndex {
  add(documents: readonly EngineDocument[], signal: AbortSignal): Promise<EngineWrite[]>
  remove(posts: readonly EngineRemoval[], signal: AbortSignal): Promise<EngineWrite[]>
}

/** Options of a rebuild. */
export interface EngineRebuild {
  /** Adds all documents. */
  fill(index: NewIndex): Promise<void>
  /** Adds what changed meanwhile, and calls `swap`: the engine answers from the new index from then on. */
  complete(index: NewIndex, swap: () => Promise<string>): Promise<void>
  signal: AbortSignal
}

/**
 * A search engine beside the database. Galley follows the posts, batches, retries, times out, and decides what is public. Every
 * method throws UnavailableError when the engine does not answer, or not as it must, and changes nothing without an index. It ends
 * with its signal. A driver passes the suite in test/plugins/search/conformance.ts.
 */
export interface SearchDriver {
  /** Where its posts are, such as address and index. With another one everything is sent anew. */
  readonly target: string
  /** What its settings lack, and what to do; null when they lack nothing. */
  readonly settingsFault?: string | null
  /** Adds or replaces documents of the index that answers: found when it resolves. */
  add(documents: readonly EngineDocument[], signal: AbortSignal): Promise<EngineWrite[]>
  /** Removes posts from it. A post that is not there counts as removed. */
  remove(posts: readonly EngineRemoval[], signal: AbortSignal): Promise<EngineWrite[]>
  search(query: EngineQuery, signal: AbortSignal): Promise<EngineHits>
  /** In how many documents each term is; those in none may be left out. */
  count(terms: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>
  /** Without it, the newest 100,000 titles are suggested, from the memory of each process. */
  suggest?(query: EngineSuggestQuery, signal: AbortSignal): Promise<EngineSuggestions>
  status(signal: AbortSignal): Promise<EngineStatus>
  /** Makes the index anew beside the one that answers. Removes what a killed rebuild left. `swap` returns the name of the new index. */
  rebuild(rebuild: EngineRebuild): Promise<void>
  /** A page of the index that answers, by `post_no`; empty after the last. */
  list(after: number, limit: number, signal: AbortSignal): Promise<EngineEntry[]>
}

/** The engines that the setting `search_driver` can choose, beside the index in the database. */
export interface SearchDrivers {
  /** Offers an engine under a name. Call it in `setup`. @throws TypeError for a name that is taken */
  addDriver(name: string, driver: SearchDriver): void
}
