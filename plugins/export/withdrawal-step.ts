import { allEnded } from '#concurrency'
import { openStep, type StepDeps, type StepOptions, unthrottled } from './export-step.ts'
import { updateGroups } from './groups.ts'
import { writeLists } from './lists.ts'
import { saveManifest } from './manifest-files.ts'
import { eachPart, planParts, updatePart } from './parts.ts'
import { partsAtOnce, removeFiles } from './stale.ts'
import { alwaysYield, neverYield } from './yield-check.ts'

/**
 * Removes the files of withdrawn posts, and updates what showed these posts, also where a file cannot be removed. A full step yielded
 * to it, or failed. It adds no post: the next full step does that. @returns how many files it removed. @throws why one was not removed
 */
export async function runWithdrawalStep(
  deps: StepDeps,
  options: Pick<StepOptions, 'target' | 'signal' | 'written' | 'isTakeover'>
): Promise<number> {
  // It does not wait for readers who search.
  const opened = await openStep(
    { ...deps, createThrottle: unthrottled },
    { ...options, mustYield: neverYield },
    alwaysYield
  )
  const unremoved = new Map<string, unknown>()
  const step = { ...opened, unremoved }
  const { manifest } = step
  const plan = await planParts(step, manifest?.parts ?? [])
  const updatingParts = eachPart(step, plan, partsAtOnce, (wanted, lane) => updatePart(step, wanted, `posts ${lane}`))
  const updatingGroups = updateGroups(step)
  await allEnded<unknown>([updatingParts, updatingGroups])
  const groups = await updatingGroups
  // A first run has no lists before its end.
  if (manifest !== null) {
    const parts = await updatingParts
    const { files, unneeded } = await writeLists(step, parts)
    // Pages that are still to be written may need the others.
    const named = { files: [...files, ...unneeded], parts, groups: groups.entries }
    await saveManifest(step, { ...named, origin: manifest.origin })
  }
  await removeFiles(step, groups.unneeded)
  for (const error of unremoved.values()) throw error
  return step.done.removed
}
