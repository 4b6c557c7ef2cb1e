import { allEnded } from './concurrency.ts'
import { openRun, type RunDeps, type RunOptions } from './export-run.ts'
import { updateGroups } from './groups.ts'
import { writeLists } from './lists.ts'
import { saveManifest } from './manifest-files.ts'
import { eachPart, planParts, updatePart } from './parts.ts'
import { partsAtOnce, removeFiles } from './stale.ts'
import { neverYield } from './yield-check.ts'

/**
 * Removes the files of withdrawn posts, and updates what showed these posts. A full step yielded to it. It adds no post: the next
 * full step does that. @returns how many files it removed
 */
export async function runWithdrawalStep(
  deps: RunDeps,
  options: Pick<RunOptions, 'target' | 'signal' | 'written'>
): Promise<number> {
  // It does not wait for readers who search.
  const unthrottled = { ...deps, createThrottle: () => async () => {} }
  const run = await openRun(unthrottled, { ...options, mustYield: neverYield })
  const { manifest } = run
  const plan = await planParts(run, manifest?.parts ?? [])
  const updatingParts = eachPart(run, plan, partsAtOnce, (wanted, lane) => updatePart(run, wanted, `posts ${lane}`))
  const updatingGroups = updateGroups(run)
  await allEnded<unknown>([updatingParts, updatingGroups])
  const groups = await updatingGroups
  // A first run has no lists before its end.
  if (manifest !== null) {
    const parts = await updatingParts
    const { files, unneeded } = await writeLists(run, parts)
    // Pages that are still to be written may need the others.
    const named = { files: [...files, ...unneeded], parts, groups: groups.entries }
    await saveManifest(run, { ...named, origin: manifest.origin })
  }
  await removeFiles(run, groups.unneeded)
  return run.done.removed
}
