import { createSerial, type Serial } from '#core'
import { allEnded } from './concurrency.ts'
import type { ExportReport } from './export-report.ts'
import { type ExportRun, openRun, type RunDeps, type RunOptions } from './export-run.ts'
import { type WrittenGroupFiles, writeGroups } from './groups.ts'
import { writeLists } from './lists.ts'
import type { PartEntry } from './manifest.ts'
import { saveManifest } from './manifest-files.ts'
import { eachPart, type PartsPlan, planParts, writePart } from './parts.ts'
import { partsAtOnce, removeFiles, removePart } from './stale.ts'

/** How a full step ended. `report` is null when it yielded. */
interface EndedStep {
  report: Omit<ExportReport, 'removed' | 'duration_ms'> | null
  removed: number
}

/** Brings a target up to date: what was withdrawn is removed first, the manifest is written last. To be called with the lease. */
export async function runFullStep(deps: RunDeps, options: RunOptions): Promise<EndedStep> {
  const run = await openRun(deps, options)
  const { manifest, marker, origin, isTrusted, done } = run
  await removeFiles(run, options.stalePaths ?? [])
  // It holds the lease, so unfinished files are of a process that was killed.
  if (marker.isInterrupted && isFirstStep(run)) await run.target.store.clean('', { isOnlyWriter: true })
  const plan = await planParts(run, isTrusted ? (manifest?.parts ?? []) : [])
  const [parts, groups] = await writePartsAndGroups(run, plan)
  if (parts === null || groups === null) return { report: null, removed: done.removed }
  const { files, unneeded } = await writeLists(run, parts)
  await removeFiles(run, unneeded.map(({ path }) => path).filter(isOfList))
  const bytes = await saveManifest(run, { origin, files, parts, groups: groups.entries })
  // Not before: until then the manifest names them.
  const isWanted = new Set(run.shown.parts.map(({ part }) => part))
  for (const part of plan.present) if (!isWanted.has(part)) await removePart(run, part)
  await removeFiles(run, groups.unneeded)
  await marker.end()
  const naming = [...parts, ...groups.entries]
  const all = [...files, ...naming]
  const report = {
    posts: parts.reduce((sum, part) => sum + part.posts, 0),
    files: naming.reduce((sum, each) => sum + each.file_count, all.length) + 1,
    bytes: naming.reduce((sum, each) => sum + each.file_bytes, 0) + all.reduce((sum, file) => sum + file.bytes, bytes)
  }
  return { report, removed: done.removed }
}

const isFirstStep = ({ written }: ExportRun) => written.parts.size + written.posts.size + written.groups.size === 0

/** A file of a post is never removed as a list, whatever the manifest says. */
const isOfList = (path: string) => !path.startsWith('posts/') || path.startsWith('posts/index')

/** Null for what is unfinished, because the step yields. */
async function writePartsAndGroups(
  run: ExportRun,
  plan: PartsPlan
): Promise<[PartEntry[] | null, WrittenGroupFiles | null]> {
  const isSmall = run.isTrusted && run.shown.parts.length - plan.unchanged.size <= partsAtOnce
  const parts = writeParts(run, plan, isSmall)
  // For a small change at the same time: a bucket takes a while for each request.
  const groups = isSmall ? writeGroups(run) : parts.then(found => (found === null ? null : writeGroups(run)))
  await allEnded<unknown>([parts, groups])
  return [await parts, await groups]
}

/** While the posts of one part are written, the next is read or the last is saved. */
const overlappingParts = 2

/** Of up to four parts the posts are written at once; of more, part by part, for memory. Null where the step yields. */
async function writeParts(run: ExportRun, plan: PartsPlan, isSmall: boolean): Promise<PartEntry[] | null> {
  const serially: Serial = isSmall ? work => work() : createSerial()
  const atOnce = isSmall ? partsAtOnce : overlappingParts
  const entries = await eachPart(run, plan, atOnce, async (wanted, lane) =>
    (await run.mustYield()) ? null : writePart(run, wanted, { claimant: `posts ${lane}`, serially })
  )
  return entries.length === run.shown.parts.length ? entries : null
}
