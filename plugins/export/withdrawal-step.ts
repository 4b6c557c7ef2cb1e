import { allEnded } from '#concurrency'
import { openStep, type StepDeps, type StepOptions, unthrottled } from './export-step.ts'
import { updateGroups } from './groups.ts'
import { writeLists } from './lists.ts'
import { saveManifest } from './manifest-files.ts'
import { eachPart, planParts, updatePart } from './parts.ts'
import { partsAtOnce, removeFiles } from './stale.ts'
import { alwaysYield, neverYield } from './yield-check.ts'

/**
 * Removes the files of withdrawn posts, and updates what showed these posts. A full step yielded to it. It adds no post: the next
 * full step does that. @returns how many files it removed
 */
export async function runWithdrawalStep(
  deps: StepDeps,
  options: Pick<StepOptions, 'target' | 'signal' | 'written' | 'isTakeover'>
): Promise<number> {
  // It does not wait for readers who search.
  const step = await openStep(
    { ...deps, createThrottle: unthrottled },
    { ...options, mustYield: neverYield },
    alwaysYield
  )
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
  return step.done.removed
}
