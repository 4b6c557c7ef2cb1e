import type { Queryable } from '#core'
import {
  type ExportDeps,
  type ExportReport,
  exportOrigin,
  pathOf,
  type RebuildProgress,
  updateExport,
  writeAllPosts
} from './export-files.ts'
import { createExportLock } from './export-lock.ts'
import { createExportFolder, type ExportFolder, exportRoot } from './folder.ts'
import { exportedPosts } from './manifest.ts'
import { isSafeSlug, readOwned } from './ownership.ts'
import { createSharedRun } from './shared-run.ts'

/** The public posts as static files. Only one export writes at a time. */
export interface Exports {
  /** Writes every file again. @throws UnavailableError when the folder cannot be used; the abort reason of its signal */
  rebuild(caller?: RebuildCaller): Promise<ExportReport>
  /** Writes the files of changed posts, and all lists. @throws UnavailableError as `rebuild` */
  refresh(signal: AbortSignal): Promise<ExportReport>
  /** Removes the file of a post that is not public, before the refresh that updates the lists. */
  withdraw(post_id: string, slug: string): Promise<void>
}

/** Somebody who waits for a rebuild. It stops between pages once nobody waits any more. */
export interface RebuildCaller {
  /** Called with the number of posts written so far. */
  onProgress?(posts: number): void
  signal?: AbortSignal
}

export function createExports(deps: ExportDeps): Exports {
  const lock = createExportLock(deps.db)
  const callers = new Set<RebuildCaller>()
  const progress = progressOf(callers)
  const rebuildOnce = createSharedRun(async () => {
    const startedAt = performance.now()
    const folder = openFolder(deps)
    const { exported, owned } = await writeAllPosts(deps, folder, lock, progress)
    const { throwIfAbandoned } = progress
    return lock(db =>
      updateExport({ deps, db, folder, owned, exported, files: new Map(), startedAt, throwIfAbandoned })
    )
  })
  return {
    async rebuild(given = {}) {
      const caller = { ...given }
      callers.add(caller)
      try {
        return await rebuildOnce()
      } finally {
        callers.delete(caller)
      }
    },
    refresh: signal => lock(db => refresh(deps, db, signal)),
    withdraw: (post_id, slug) => withdraw(deps, post_id, slug)
  }
}

/** Reports to everybody who waits for the shared rebuild. */
const progressOf = (callers: ReadonlySet<RebuildCaller>): RebuildProgress => ({
  reportProgress(posts) {
    for (const { onProgress } of callers) onProgress?.(posts)
  },
  throwIfAbandoned() {
    const signals = [...callers].map(({ signal }) => signal)
    if (signals.every(signal => signal?.aborted)) signals[0]?.throwIfAborted()
  }
})

async function refresh(deps: ExportDeps, db: Queryable, signal: AbortSignal): Promise<ExportReport> {
  const startedAt = performance.now()
  const folder = openFolder(deps)
  await folder.prepare()
  const owned = await readOwned(folder)
  const exported = await exportedPosts(folder, exportOrigin(deps))
  const throwIfAbandoned = () => signal.throwIfAborted()
  return updateExport({ deps, db, folder, owned, exported, files: new Map(), startedAt, throwIfAbandoned })
}

async function withdraw(deps: ExportDeps, post_id: string, slug: string): Promise<void> {
  if (!isSafeSlug(slug) || (await deps.published.isPublic(deps.db, post_id))) return
  const folder = openFolder(deps)
  const path = pathOf({ slug })
  if ((await folder.exists(path)) && (await readOwned(folder)).has(path)) await folder.remove(path)
}

function openFolder({ settings, installation }: ExportDeps): ExportFolder {
  const target = settings.get('export_target')
  return createExportFolder(exportRoot(target, installation.home), target === '')
}
