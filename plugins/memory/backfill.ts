import { type Settings, UnavailableError } from '#core'
import { embedPending } from './embed-job.ts'
import type { BackfillFollower, BackfillOptions, BackfillResult, BackfillSource, Memory, SourceTable } from './index.ts'
import { checkEntry } from './input.ts'
import { listSourceIds } from './repository/entries.ts'
import type { MemorySettings } from './settings.ts'
import { type StoreDeps, storeForLater } from './store.ts'

interface BackfillDeps extends StoreDeps {
  settings: Pick<Settings<MemorySettings>, 'get'>
}

/** Stores again what other plugins have in the memory. */
export function createBackfill(deps: BackfillDeps): Pick<Memory, 'registerBackfill' | 'backfill'> {
  const sources = new Map<SourceTable, RegisteredSource>()
  return {
    registerBackfill(source_table, entries, follower) {
      if (sources.has(source_table)) throw new TypeError(`${source_table} has a backfill source already.`)
      sources.set(source_table, { source_table, entries, follower })
    },
    async backfill(source_table, { signal = new AbortController().signal, onProgress } = {}) {
      const source = sources.get(source_table)
      if (source === undefined) throw new UnavailableError(withoutSource(source_table))
      const options = { signal, onProgress }
      const stored = await storeAll(deps, source, options)
      const embedded = await embedAll(deps, options)
      return { source_table, ...stored, ...embedded }
    }
  }
}

const withoutSource = (source_table: SourceTable) =>
  `No plugin gives the entries of ${source_table}: list the one that does in plugins.config.json.`

interface RegisteredSource {
  source_table: SourceTable
  entries: BackfillSource
  follower: BackfillFollower | undefined
}

type RunningBackfill = BackfillOptions & { signal: AbortSignal }

async function storeAll(deps: BackfillDeps, source: RegisteredSource, { signal, onProgress }: RunningBackfill) {
  const result = { entries: 0, stored: 0 }
  for await (const entry of source.entries()) {
    signal.throwIfAborted()
    const { stored } = await storeForLater(deps, checkEntry(entry, deps.settings.get('memory_max_bytes')))
    result.entries++
    if (stored) result.stored++
    onProgress?.('entries', result.entries)
  }
  await followStored(deps, source, signal)
  return result
}

const idsAtOnce = 1000

async function followStored(
  { db }: BackfillDeps,
  { source_table, follower }: RegisteredSource,
  signal: AbortSignal
): Promise<void> {
  if (follower === undefined) return
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal.throwIfAborted()
    const ids: string[] = await listSourceIds(db, { source_table, writer: follower.writer }, after, idsAtOnce)
    if (ids.length > 0) await follower.follow(ids)
    after = ids.at(-1)
  }
}

/** Makes the missing embeddings; `fault` says why a job makes the others later. */
async function embedAll(
  deps: BackfillDeps,
  { signal, onProgress }: RunningBackfill
): Promise<Pick<BackfillResult, 'embedded' | 'fault'>> {
  let embedded = 0
  const onSaved = (done: number) => {
    embedded = done
    onProgress?.('embeddings', done)
  }
  try {
    await embedPending(deps, signal, { onSaved })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return { embedded, fault: error.message }
  }
  signal.throwIfAborted()
  return { embedded, fault: null }
}
