import { type Db, type Job, job, UnavailableError } from '#core'
import { type BudgetWaitDeps, waitToEmbed } from './budget-waits.ts'
import type { Embedders } from './embedders/registry.ts'
import { type Embedder, TextsRefusedError } from './index.ts'
import type { Models } from './models.ts'
import { vectorsOrRefusals } from './passage-vectors.ts'
import { type EntryPassage, passageRows, passagesOfLargeText } from './passages.ts'
import { EmbedEntries, EmbedPending } from './pending.ts'
import { listUnsplit, lockEntries, lockUnchanged, type UnsplitEntry } from './repository/entries.ts'
import { serveWhenComplete } from './repository/models.ts'
import { insertPassages } from './repository/passages.ts'
import { deleteOldRefusals, saveRefusals } from './repository/refusals.ts'
import { deleteServed, recordUnembedded } from './repository/unembedded.ts'
import { addEmbeddings, listPending, lockVectorWrites, type PendingPassage } from './repository/vectors.ts'

const passagesPerStatement = 128
/** Each costs the index milliseconds; on the embedded database everybody waits for the transaction. */
const vectorsPerTransaction = ({ kind }: Db): number => (kind === 'pglite' ? 8 : 32)
/** A text may be 2 MB. */
const textsPerStatement = 20
/** A million passages take hours with a slow endpoint. A dead process is noticed all the same. */
const maxSeconds = 20 * 60 * 60

interface EmbedDeps {
  db: Db
  embedders: Embedders
  models: Models
}

/** Cuts the texts that were stored without passages, of these entries or (null) of all. */
async function splitTexts(db: Db, entry_ids: readonly string[] | null, signal: AbortSignal): Promise<void> {
  let after: string | null = null
  while (!signal.aborted) {
    const entries: UnsplitEntry[] = await listUnsplit(db, { entry_ids, after, limit: textsPerStatement })
    after = entries.at(-1)?.entry_id ?? null
    if (after === null) return
    const passages: EntryPassage[] = []
    for (const { entry_id, text, title } of entries) {
      for (const row of passageRows(entry_id, await passagesOfLargeText(text, title))) passages.push(row)
    }
    await db.transaction(async tx => {
      const unchanged = await lockUnchanged(tx, entries)
      await insertPassages(
        tx,
        passages.filter(({ entry_id }) => unchanged.has(entry_id))
      )
      // Those of some entries get their vectors next: a note of each would cost more than it tells.
      if (entry_ids === null) await recordUnembedded(tx, [...unchanged])
    })
  }
}

interface Embedding {
  embedder: Embedder
  /** Null: of all entries. */
  entry_ids: readonly string[] | null
  signal: AbortSignal
  onSaved?: ((saved: number) => void) | undefined
  /** Asked before each step; false ends it. */
  shouldContinue?: () => Promise<boolean>
}

/** Embeds the passages without a vector by the embedder's model. Returns how many were saved. */
async function embedPassages(
  { db, embedders }: Pick<EmbedDeps, 'db' | 'embedders'>,
  { embedder, entry_ids, signal, onSaved, shouldContinue }: Embedding
): Promise<number> {
  let after: PendingPassage | null = null
  let saved = 0
  while (!signal.aborted && (shouldContinue === undefined || (await shouldContinue()))) {
    const { model } = embedder
    const passages: PendingPassage[] = await listPending(db, model, { entry_ids, after, limit: passagesPerStatement })
    after = passages.at(-1) ?? null
    if (after === null) return saved
    const texts = passages.map(passage => passage.text)
    const vectors = await vectorsOrRefusals({ db, embedders }, embedder, texts, signal)
    const made = passages.map((passage, at) => ({ passage, vector: vectors[at] ?? [] }))
    // The last batch also switches the serving model: otherwise a reader could see nothing pending and the old model.
    const isLast = entry_ids === null && passages.length < passagesPerStatement
    if (embedder.model === model) saved += await saveAll(db, model, made, isLast)
    // The setting changed meanwhile: it is unknown which model made the vectors.
    else after = null
    onSaved?.(saved)
  }
  return saved
}

/** A passage with its vector, or why the embedder refuses it. */
interface EmbeddedPassage {
  passage: PendingPassage
  vector: number[] | TextsRefusedError
}

async function saveAll(db: Db, model: string, made: readonly EmbeddedPassage[], isLast: boolean): Promise<number> {
  const step = vectorsPerTransaction(db)
  let saved = 0
  for (let from = 0; from < made.length; from += step) {
    const to = from + step
    saved += await saveSome(db, model, made.slice(from, to), isLast && to >= made.length)
  }
  return saved
}

async function saveSome(db: Db, model: string, made: readonly EmbeddedPassage[], isLast: boolean): Promise<number> {
  const vectors = made.flatMap(({ passage, vector }) =>
    vector instanceof TextsRefusedError ? [] : [{ passage, vector }]
  )
  const refused = made.flatMap(({ passage, vector }) =>
    vector instanceof TextsRefusedError ? [{ ...passage, reason: vector.message }] : []
  )
  const entry_ids = [...new Set(made.map(({ passage }) => passage.entry_id))]
  return await db.transaction(async tx => {
    // Each vector takes milliseconds of a core for the index. One writer at a time leaves the other cores to readers.
    await lockVectorWrites(tx)
    await lockEntries(tx, entry_ids)
    if (refused.length > 0) await saveRefusals(tx, model, refused)
    const saved = await addEmbeddings(
      tx,
      model,
      vectors.map(({ passage }) => passage),
      vectors.map(({ vector }) => vector)
    )
    await deleteServed(tx, model, entry_ids)
    if (isLast) await serveWhenComplete(tx, model)
    return saved
  })
}

interface PendingOptions {
  onSaved?: (saved: number) => void
  /** Ends at once while another holder is at it, whose work would be done twice. */
  holder?: string
}

/**
 * Makes the missing passages, and embeds every passage without a vector of the chosen model. Returns how many vectors
 * were saved. Searches then use the chosen model.
 */
export async function embedPending(
  { db, embedders, models }: EmbedDeps,
  signal: AbortSignal,
  { onSaved, holder }: PendingOptions = {}
): Promise<number> {
  await splitTexts(db, null, signal)
  const embedder = embedders.chosen()
  await models.recordModel(db)
  await deleteOldRefusals(db)
  const shouldContinue = async () => holder === undefined || (await models.lease(holder))
  const saved = await embedPassages({ db, embedders }, { embedder, entry_ids: null, signal, onSaved, shouldContinue })
  await models.serveIfComplete()
  return saved
}

/** The same of some entries, by every model that is needed. */
async function embedEntries(
  { db, embedders, models }: EmbedDeps,
  entry_ids: readonly string[],
  signal: AbortSignal
): Promise<void> {
  await splitTexts(db, entry_ids, signal)
  let failure: UnavailableError | null = null
  for (const embedder of await models.needed(db)) {
    try {
      await embedPassages({ db, embedders }, { embedder, entry_ids, signal })
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      // The other may answer.
      failure ??= error
    }
  }
  if (failure !== null) throw failure
}

export function embedJobs(deps: EmbedDeps & BudgetWaitDeps): Job[] {
  const { db, models, enqueue } = deps
  return [
    job(
      EmbedPending,
      async (_data, { id, signal }) => {
        const embed = () => embedPending(deps, signal, { holder: id }).finally(() => models.release(id))
        await embed().catch(error => waitToEmbed(deps, error))
      },
      // The cron run finds what retries could not embed, and a model chosen while no process ran.
      { retries: 8, retryDelaySeconds: 5, timeoutSeconds: maxSeconds, cron: '*/5 * * * *' }
    ),
    job(EmbedEntries, async ({ entry_ids }, { signal }) => {
      try {
        await embedEntries(deps, entry_ids, signal)
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        // One job waits for the embedder, not one for each of many entries.
        await db.transaction(async tx => {
          await recordUnembedded(tx, entry_ids)
          await enqueue(tx, EmbedPending, {}, { key: 'pending' })
        })
      }
    })
  ]
}
