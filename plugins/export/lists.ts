import { forEachAsync } from '#concurrency'
import { filesAtOnce } from './concurrency.ts'
import type { ExportStep } from './export-step.ts'
import type { ExportFile, ExportTotals } from './index.ts'
import type { ManifestFile, PartEntry } from './manifest.ts'

/** The lists of a batch, which are in memory at the same time. Each may have some hundred kilobytes. */
const listsAtOnce = 32

/** Writes the lists that differ. `unneeded`: those that no surface has now. */
export async function writeLists(
  step: ExportStep,
  parts: readonly PartEntry[]
): Promise<{ files: ManifestFile[]; unneeded: ManifestFile[] }> {
  const before = new Map(step.manifest?.files.map(file => [file.path, file]))
  const totals: ExportTotals = {
    posts: parts.reduce((sum, { posts }) => sum + posts, 0),
    parts: parts.map(({ part, posts }) => ({ part, posts })),
    labels: step.lists.labels
  }
  const files: ManifestFile[] = []
  // The target is an export's, and its manifest is lost.
  const isOurs = step.marker.isMarked && step.manifest === null
  const claimed: string[] = []
  let batch: ExportFile[] = []
  const writeBatch = async () => {
    const unknown = batch.filter(({ path }) => !before.has(path)).map(({ path }) => path)
    if (unknown.length > 0 && !isOurs)
      await step.writer.claim('lists', [...claimed, ...unknown], path => claimed.includes(path))
    claimed.push(...unknown)
    const written = new Map<string, ManifestFile>()
    // Each takes a bucket a while.
    const write = async (file: ExportFile) =>
      written.set(file.path, await step.writer.write(file, before.get(file.path), isOurs))
    await forEachAsync(batch, write, { concurrency: filesAtOnce, signal: step.signal })
    files.push(...batch.flatMap(({ path }) => written.get(path) ?? []))
    for (const { path } of batch) before.delete(path)
    batch = []
  }
  for (const surface of step.surfaces.all())
    for await (const file of surface.listFiles(step.db, totals)) if (batch.push(file) >= listsAtOnce) await writeBatch()
  await writeBatch()
  return { files, unneeded: [...before.values()] }
}
