import type { Db, Enqueue, Queryable, Tx } from '#core'
import type { Embedders } from './embedders/registry.ts'
import type { Embedder } from './index.ts'
import { EmbedPending } from './pending.ts'
import {
  deleteVectorsOfUnknownModels,
  findServing,
  leaseModel,
  type ModelRow,
  recordModel,
  releaseModels,
  serveWhenComplete
} from './repository/models.ts'

/** Which model searches use while the vectors of another are being made. */
export interface Models {
  /**
   * The embedder whose vectors are searched: the chosen one once it has one for every passage, until then the one before.
   * @throws UnavailableError when the setting names none, and none served before
   */
  serving(db: Queryable): Promise<Embedder>
  /** The name of its model; empty when the setting names none, and none served before. */
  servingModel(db: Queryable): Promise<string>
  /** False once another model took over, whose predecessor's vectors are dropped. */
  serves(db: Queryable, model: string): Promise<boolean>
  /** Every embedder that stored texts need vectors of, the chosen one first. @throws UnavailableError as `serving`. */
  needed(db: Queryable): Promise<Embedder[]>
  /** Records the chosen model, so that it can still be searched with after another is chosen. */
  recordModel(db: Queryable): Promise<void>
  /** The same unless this process has done so; does nothing while the setting names no embedder. */
  recordOnce(tx: Tx): Promise<void>
  /** Keeps others from making the chosen model's vectors for a minute; false while another holder does. */
  lease(holder: string): Promise<boolean>
  release(holder: string): Promise<void>
  /** Lets the chosen model serve if it has a vector for every passage, and drops the vectors of others. */
  serveIfComplete(): Promise<void>
  /** Queues the making of vectors when another model was chosen than last seen. */
  onSettingsRead(): Promise<void>
}

interface ModelsDeps {
  db: Db
  embedders: Embedders
  enqueue: Enqueue
}

export function createModels({ db, embedders, enqueue }: ModelsDeps): Models {
  const { serving, forget } = createServingModel(embedders)
  let recorded = ''
  let seen: string | null = null
  const chosen = () => embedders.named(embedders.chosenName())
  const recordChosen = async (from: Queryable) => {
    const { model, origin = {} } = embedders.chosen()
    if (model !== '') await recordModel(from, { model, embedder: embedders.chosenName(), origin: { ...origin } })
  }
  return {
    serving,
    servingModel: async from =>
      chosen() === undefined ? ((await findServing(from))?.model ?? '') : (await serving(from)).model,
    serves: async (from, model) => {
      const row = await findServing(from)
      return row === undefined || row.model === model
    },
    recordModel: recordChosen,
    needed: async from => {
      const now = await serving(from)
      const next = chosen()
      return next === undefined || !isNamed(next) || next.model === now.model ? [now] : [next, now]
    },
    async recordOnce(tx) {
      const model = chosen()?.model ?? ''
      if (model === '' || model === recorded) return
      await recordChosen(tx)
      recorded = model
    },
    lease: async holder => leaseModel(db, embedders.chosen().model, holder),
    release: async holder => releaseModels(db, holder),
    async serveIfComplete() {
      const { model } = embedders.chosen()
      if (model !== '' && (await db.transaction(tx => serveWhenComplete(tx, model))))
        await deleteVectorsOfUnknownModels(db)
    },
    async onSettingsRead() {
      const model = chosen()?.model ?? ''
      if (model === seen) return
      forget()
      recorded = ''
      // The first read is no change. A model chosen while no process ran is found by the cron run.
      if (seen !== null) await db.transaction(tx => enqueue(tx, EmbedPending, {}, { key: 'pending' }))
      seen = model
    }
  }
}

/** Finds the embedder that searches use. */
function createServingModel(embedders: Embedders) {
  // The serving model as this process knows it: saves one statement for each search.
  let known = ''
  const embedderOf = createFormerEmbedders(embedders)
  const serving: Models['serving'] = async db => {
    const chosen = embedders.named(embedders.chosenName())
    if (chosen !== undefined && isNamed(chosen) && chosen.model === known) return chosen
    const row = await findServing(db)
    if (row === undefined || row.model === chosen?.model) {
      // While none serves, the chosen one is the first that will.
      known = row?.model ?? chosen?.model ?? ''
      return chosen ?? embedders.chosen()
    }
    return embedderOf(row) ?? embedders.chosen()
  }
  const forget = () => {
    known = ''
  }
  return { serving, forget }
}

/** False while its settings do not say which model it is: whatever served before goes on. */
const isNamed = ({ model }: Embedder): boolean => model !== ''

/** Embedders of models that are not chosen any more, each made once. */
function createFormerEmbedders(embedders: Embedders): (row: ModelRow) => Embedder | undefined {
  const made = new Map<string, Embedder>()
  return row => {
    const embedder = embedders.named(row.embedder)
    if (embedder?.model === row.model) return embedder
    const key = JSON.stringify(row)
    const found = made.get(key) ?? embedder?.forModel?.(row.model, row.origin)
    if (found !== undefined) made.set(key, found)
    return found
  }
}
