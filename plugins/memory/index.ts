import { type Queryable, service, type Tx, UnavailableError } from '#core'
import type { MeteredDriver } from '#plugins/costs'

/** Where an entry comes from; the spec's list. */
export const sourceTables = ['brain', 'audit', 'posts', 'memory', 'claude_sessions', 'issues'] as const
/** One of them. */
export type SourceTable = (typeof sourceTables)[number]

/** For people, on stderr, where a search went without its embedder. */
export const degradedNote = 'The embedder does not answer: this was found by words alone. galley doctor says why.'

/** Every embedding has this many numbers. */
export const embeddingDimensions = 768

/** The embedder works but refuses one of these texts. Without that text it may embed the others. */
export class TextsRefusedError extends UnavailableError {}

/** A similarity from a cosine: 0 for texts that have nothing in common, 1 for equal ones. */
export const similarityAboveBaseline = (cosine: number, baselineCosine: number): number =>
  Math.max(0, (cosine - baselineCosine) / (1 - baselineCosine))

/** What the vectors are for. */
export interface EmbedOptions {
  /** Somebody waits for the result, and it can be made without vectors: fail early instead of answering late. */
  isQuery?: boolean
}

/** Turns texts into vectors of 768 numbers, one each, in order; unit length. `model` names what made them: only vectors of one model compare. */
export interface Embedder extends MeteredDriver {
  /** What is embedded counts as a request to this model, unless it is free or cheap. */
  readonly model: string
  /** The cosine of two texts that have nothing in common; 0 when absent. Likeness is counted from there. */
  readonly baselineCosine?: number
  /** True when making a vector costs less than looking up the one made before. */
  readonly isCheap?: boolean
  /** What `forModel` needs to make this model's vectors after the settings have changed. Stored as it is: no secrets. */
  readonly origin?: Readonly<Record<string, string>>
  /** What its settings lack, and what to do; null when they lack nothing. */
  readonly settingsFault?: string | null
  /** True until the endpoint's `Retry-After` is over: queries go without it. */
  readonly isRateLimited?: boolean
  /** @throws UnavailableError when it cannot answer now, TextsRefusedError when it will not take one of them; callers go on without vectors. */
  embed(texts: readonly string[], signal: AbortSignal, options?: EmbedOptions): Promise<number[][]>
  /** A vector to rank passages by for a query, where that is another than the text's own; absent: the same. */
  embedQuery?(text: string, signal: AbortSignal): Promise<number[]>
  /** The embedder of a model used before, which searches go on with until the new one is complete. Absent: there is only one model. */
  forModel?(model: string, origin: Readonly<Record<string, string>>): Embedder
}

/** A text to remember. Storing the same `source_table` and `source_id` again replaces it; the same text again changes nothing. */
export interface NewEntry {
  source_table: SourceTable
  source_id: string
  writer: string
  /** Heading of the text; default: its first markdown H1, else null. */
  title?: string | null
  /** Where a reader can check it. */
  url?: string | null
  text: string
  tags?: readonly string[]
  metadata?: Record<string, unknown>
}

/** An entry found as a whole, for writers that quote it. `score` orders a list, best first. */
export interface MemorySource {
  source_id: string
  title: string
  text: string
  url: string | null
  score: number
}

/** A passage found; `similarity` is the cosine, 0–1. */
export interface MemoryMatch {
  source_table: SourceTable
  source_id: string
  chunk: number
  writer: string
  text: string
  similarity: number
  tags: string[]
  metadata: Record<string, unknown>
  created_at: string
}

/** A query to the memory, with its filters. */
export interface MemoryQuery {
  q: string
  /** Default 5, at most 100. */
  limit?: number
  /** Default 0.5. */
  min_similarity?: number
  writer?: string
  source_table?: SourceTable
  /** Only entries that have all of these. */
  tags?: readonly string[]
  /** Default `similarity`. `hybrid` fuses it with the ranking by shared words, which count whatever the similarity. */
  mode?: SearchMode
}

/** How passages are ranked. */
export const searchModes = ['similarity', 'hybrid'] as const
/** One of them. */
export type SearchMode = (typeof searchModes)[number]

/** Passages found, best first. */
export interface MemoryFound {
  items: MemoryMatch[]
  /**
   * How many match; where more than some thousand passages are asked for, counted among the 400 nearest (30 with a filter)
   * and those found by words. Never fewer than the items.
   */
  total: number
  /** True while the embedder does not answer: the items were found by their words, and their similarity is the embedded embedder's. */
  degraded: boolean
}

/** How many embeddings of one source table or writer there are; the times are those of its oldest and newest entry. */
export interface MemoryCount {
  key: string
  count: number
  oldest: string
  newest: string
}

/** A passage the embedder will not take; it is found by its words only. */
export interface MemoryRefusal {
  source_table: SourceTable
  source_id: string
  chunk: number
  reason: string
}

/** What the memory holds. Counts are of embeddings that searches use, those by `serving_model`. */
export interface MemoryStats {
  total: number
  /** Passages that still wait for an embedding by `model`, the chosen embedder's; a job makes them. */
  pending: number
  /** Why nothing can be embedded: the setting `embedder` names no embedder. Else null. */
  fault: string | null
  /** Passages the embedder refused; they are tried again after a day, or when their text changes. */
  refused: number
  /** The latest ten of them. */
  refusals: MemoryRefusal[]
  model: string
  /** The model that searches use: the one before until none is pending. */
  serving_model: string
  dimensions: number
  by_source_table: MemoryCount[]
  by_writer: MemoryCount[]
}

/** How the entries nearest to a text are chosen. */
export interface NearestOptions {
  /**
   * Ids of entries known to answer the query, by its words for example: entries like these rank higher. `similarity` is
   * still the one to the query. Ignored where the text is no query.
   */
  relevantIds?: readonly string[]
  /** The text asks, however long it is: its rare words count more. Else one of up to 32 words is taken for a query. */
  isQuery?: boolean
  /** Of a query: only these entries are compared, and `similarity` is to what the query and the relevant entries say. */
  among?: readonly string[]
}

/** An entry near a text. `similarity` is 1 where the entry says all of the text, 0 where they have nothing in common. */
export interface NearEntry {
  source_id: string
  similarity: number
}

/** The entries nearest to a text. `degraded`: the embedder did not answer, so that there are none. */
export interface NearestFound {
  items: NearEntry[]
  degraded: boolean
}

/** Gives every entry a source table should hold, for storing them again. */
export type BackfillSource = () => AsyncIterable<NewEntry>
/** Removes entries that a source does not give any more. */
export interface BackfillFollower {
  /** Entries of other writers are left alone. */
  writer: string
  /** Removes those of these entries that should not be there; called for all of the writer's, at most 1,000 at a time. */
  follow(source_ids: readonly string[]): Promise<void>
}

/** Follows a backfill, which may take long, and ends it early. */
export interface BackfillOptions {
  signal?: AbortSignal
  /** Called as the numbers grow: of entries stored, then of embeddings made. */
  onProgress?(step: 'entries' | 'embeddings', done: number): void
}

/** What a backfill did: entries read, entries whose text was new or changed, embeddings made; why a job makes the others later. */
export interface BackfillResult {
  source_table: SourceTable
  entries: number
  stored: number
  embedded: number
  fault: string | null
}

/** An entry as it is stored now, in so many passages. `stored` is false when nothing changed. */
export interface StoreResult {
  source_table: SourceTable
  source_id: string
  chunks: number
  stored: boolean
}

/** The semantic memory: texts, chunked and embedded. */
export interface Memory {
  /** Vectors for texts that are not stored; `baselineCosine` is the cosine of texts with nothing in common. @throws UnavailableError when the embedder does not answer. */
  embed(
    texts: readonly string[]
  ): Promise<{ model: string; dimensions: number; baselineCosine: number; embeddings: number[][] }>
  /** Stores full text at once; vectors follow when the embedder answers. */
  store(entry: NewEntry): Promise<StoreResult>
  /**
   * Stores many texts in one transaction and leaves passages and vectors to a job, which starts at once or at `startAt`.
   * @throws InputError for one that cannot be stored; then none is
   */
  storeMany(entries: readonly NewEntry[], options?: { startAt?: Date }): Promise<void>
  /** Deletes an entry with its passages and vectors; false when there was none. */
  remove(tx: Tx, source_table: SourceTable, source_id: string): Promise<boolean>
  /** Passages by meaning, best first; by words while the embedder does not answer. */
  search(query: MemoryQuery): Promise<MemoryFound>
  /** Whole entries that match a topic by words and by meaning, best first, published posts left out. Works without the embedder. */
  sourcesFor(db: Queryable, topic: string, limit: number): Promise<MemorySource[]>
  /**
   * Entries of one source table nearest to `text`, best first. A long text is compared passage by passage; one of up to 32
   * words is taken for a query, whose rare words count more.
   */
  nearest(source_table: SourceTable, text: string, limit: number, options?: NearestOptions): Promise<NearestFound>
  /** Offers another embedder under a name the setting `embedder` can choose. */
  registerEmbedder(name: string, embedder: Embedder): void
  stats(): Promise<MemoryStats>
  /** True while searches use the embedded embedder's vectors, which know words and no meaning; false when there are none to use. */
  isLexical(): Promise<boolean>
  /**
   * Says where the entries of a source table come from, for `backfill`. One source a table. What an entry stands for may have
   * gone while this plugin was left out: `follower` removes it then. Without one it stays.
   */
  registerBackfill(source_table: SourceTable, source: BackfillSource, follower?: BackfillFollower): void
  /** Stores what the registered source gives and makes missing embeddings; those an embedder does not answer for are made by a job. */
  backfill(source_table: SourceTable, options?: BackfillOptions): Promise<BackfillResult>
}
export const MemoryService = service<Memory>('memory')
