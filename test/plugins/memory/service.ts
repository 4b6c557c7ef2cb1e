import type { Db, Settings } from '#core'
import type { Embedder, Memory, MemoryService } from '#plugins/memory'
import { createLog } from '../../../cli/log/json-log.ts'
import type { Contribution } from '../../../core/contract/plugin.ts'
import plugin from '../../../plugins/memory/plugin.ts'
import type { MemorySettings } from '../../../plugins/memory/settings.ts'
import { openTestDatabase } from '../../helpers/database.ts'

export interface MemoryUnderTest {
  db: Db
  memory: Memory
  contribution: Contribution<{ memory: typeof MemoryService }>
  /** Changes settings as they are read from now on. */
  set(values: Record<string, unknown>): void
  /** Jobs queued since the last call. */
  queued(): string[]
  /** When those queued since then may start, where they are not to start at once. */
  queuedFor(): (Date | undefined)[]
  /** Runs the job that makes missing embeddings. */
  runJob(): Promise<void>
  /** Runs the jobs queued since the last call; those they queue wait for the next. */
  runQueued(): Promise<void>
  close(): Promise<void>
}

/** The memory plugin on a database of its own, without a kernel: jobs are recorded and run by hand. */
export async function startMemory(): Promise<MemoryUnderTest> {
  const db = await openTestDatabase()
  const values: Record<string, unknown> = {}
  const jobs: { type: string; data: unknown; startAt: Date | undefined }[] = []
  const declared = plugin.settings as MemorySettings
  const settings = {
    get: (key: keyof MemorySettings) => values[key] ?? declared[key].default
  } as Settings<MemorySettings>
  const context = {
    needs: {},
    settings,
    db,
    log: createLog('silent'),
    now: () => new Date(),
    enqueue: async (_tx: unknown, type: { id: string }, data: unknown, options?: { startAt?: Date }) =>
      void jobs.push({ type: type.id, data, startAt: options?.startAt })
  } as unknown as Parameters<typeof plugin.setup>[0] // the plugin uses no other part of its context
  const contribution = plugin.setup(context)
  const run = async (type: string, data: unknown) => {
    const delivery = {
      id: 'job',
      deliveryCount: 1,
      signal: new AbortController().signal,
      recordProgress: async () => {}
    }
    await contribution.jobs?.find(job => job.type === type)?.handle(data as never, delivery)
  }
  return {
    db,
    memory: contribution.services.memory,
    contribution,
    set: changed => void Object.assign(values, changed),
    queued: () => jobs.splice(0).map(({ type }) => type),
    queuedFor: () => jobs.map(({ startAt }) => startAt),
    runJob: () => run('memory.embed', {}),
    runQueued: async () => {
      for (const { type, data } of jobs.splice(0)) await run(type, data)
    },
    close: () => db.close()
  }
}

/** An embedder that answers with vectors along one axis, or fails while `fault` is set. */
export function createAxisEmbedder(
  model: string,
  axisOf: (text: string) => number
): Embedder & { fault: Error | null; calls: string[][] } {
  const calls: string[][] = []
  return {
    model,
    fault: null,
    calls,
    async embed(texts) {
      calls.push([...texts])
      if (this.fault !== null) throw this.fault
      return texts.map(text => Array.from({ length: 768 }, (_, place) => (place === axisOf(text) ? 1 : 0)))
    }
  }
}
