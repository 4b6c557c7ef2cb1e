import { allEnded } from '#concurrency'
import type { ExportReport } from './export-report.ts'
import { type ExportStep, openStep, type StepDeps, type StepOptions } from './export-step.ts'
import { type WrittenGroupFiles, writeGroups } from './groups.ts'
import { writeLists } from './lists.ts'
import type { PartEntry } from './manifest.ts'
import { countUnfinished, saveManifest, trustedOf } from './manifest-files.ts'
import { eachPart, type PartsPlan, planParts, writePart } from './parts.ts'
import { partsAtOnce, removeFiles, removePart } from './stale.ts'

/** How a full step ended. `report` is null when it yielded. */
interface EndedStep {
  report: Omit<ExportReport, 'removed' | 'duration_ms'> | null
  removed: number
}

/** Brings a target up to date: what was withdrawn is removed first, the manifest is written last. To be called with the lease. */
export async function runFullStep(deps: StepDeps, options: StepOptions): Promise<EndedStep> {
  const step = await openStep(deps, options)
  const { manifest, marker, origin, done } = step
  if (!step.shown.isCurrent) return { report: null, removed: 0 }
  await removeFiles(step, options.stalePaths ?? [])
  // It holds the lease, so unfinished files are of a process that was killed.
  if (marker.isInterrupted && isFirstStep(step)) await step.target.store.clean('', { isOnlyWriter: true })
  const plan = await planParts(step, trustedOf(step, manifest?.parts))
  const [parts, groups] = await writePartsAndGroups(step, plan)
  if (parts === null || groups === null) return { report: null, removed: done.removed }
  const { files, unneeded } = await writeLists(step, parts)
  await removeFiles(step, unneeded.map(({ path }) => path).filter(isOfList))
  const bytes = await saveManifest(step, { origin, files, parts, groups: groups.entries })
  // Not before: until then the manifest names them.
  const isWanted = new Set(step.shown.parts.map(({ part }) => part))
  for (const part of plan.present) if (!isWanted.has(part)) await removePart(step, part)
  await removeFiles(step, groups.unneeded)
  await marker.end()
  const naming = [...parts, ...groups.entries]
  const all = [...files, ...naming]
  const report = {
    posts: parts.reduce((sum, part) => sum + part.posts, 0),
    files: naming.reduce((sum, each) => sum + each.file_count, all.length) + 1,
    unfinished: naming.reduce((sum, { unfinished_count = 0 }) => sum + unfinished_count, countUnfinished(files)),
    bytes: naming.reduce((sum, each) => sum + each.file_bytes, 0) + all.reduce((sum, file) => sum + file.bytes, bytes)
  }
  return { report, removed: done.removed }
}

const isFirstStep = ({ written }: ExportStep) => written.parts.size + written.posts.size + written.groups.size === 0

/** A file of a post is never removed as a list, whatever the manifest says. */
const isOfList = (path: string) => !path.startsWith('posts/') || path.startsWith('posts/index')

/** Null for what is unfinished, because the step yields. */
async function writePartsAndGroups(
  step: ExportStep,
  plan: PartsPlan
): Promise<[PartEntry[] | null, WrittenGroupFiles | null]> {
  const isSmall = step.isManifestTrusted && step.shown.parts.length - plan.unchanged.size <= partsAtOnce
  const parts = writeParts(step, plan, isSmall)
  // For a small change at the same time: a bucket takes a while for each request.
  const groups = isSmall ? writeGroups(step) : parts.then(found => (found === null ? null : writeGroups(step)))
  await allEnded<unknown>([parts, groups])
  return [await parts, await groups]
}

/** While the last posts of one part are written, those of the next begin; or one is read, or saved. */
const overlappingParts = 2

/** Null where the step yields. */
async function writeParts(step: ExportStep, plan: PartsPlan, isSmall: boolean): Promise<PartEntry[] | null> {
  const atOnce = isSmall ? partsAtOnce : overlappingParts
  const entries = await eachPart(step, plan, atOnce, async (wanted, lane) =>
    (await step.mustYield()) ? null : writePart(step, wanted, `posts ${lane}`)
  )
  return entries.length === step.shown.parts.length ? entries : null
}
