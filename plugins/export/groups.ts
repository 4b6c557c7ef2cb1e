import { allEnded, batched, forEachAsync } from '#concurrency'
import { filesAtOnce } from './concurrency.ts'
import type { ExportStep, WrittenGroups } from './export-step.ts'
import {
  type GroupEntry,
  type GroupFile,
  type GroupFileEntry,
  groupFolder,
  isRetryDue,
  type ManifestFile,
  ofChanged
} from './manifest.ts'
import { readCheckedGroups, saveGroups, trustedOf } from './manifest-files.ts'
import { removeClaimedFiles, removeFiles } from './stale.ts'
import { hashOf, type OwnedGroup } from './surfaces.ts'

/** So many files name the groups: a change writes few of them, and each is small. */
const fileCount = 64
/** The groups of a batch. Of three batches at once, one waits for the database while the pages of another are made. */
const groupsAtOnce = 32
const batchesAtOnce = 3

/** The files of groups, as the manifest is to name them. */
export interface WrittenGroupFiles {
  entries: GroupFileEntry[]
  /** Paths of those that name no group any more. */
  unneeded: string[]
}

/** Writes the files of the groups that changed, and removes those of groups that are gone. Null where the step yields. */
export async function writeGroups(step: ExportStep): Promise<WrittenGroupFiles | null> {
  const { manifest, marker, origin } = step
  const { unchanged, changed } = await findChanged(step, trustedOf(step, manifest?.groups))
  const files = await readGroups(step, changed)
  const mustWrite = (file: ManifestFile) => step.mustRewrite(file.path) || isRetryDue(file, step.now())
  const plans = files.map(file => {
    const isCurrent = !marker.isInterrupted && file.found?.origin === origin
    return planOf(file, file.groups, entry => isCurrent && !entry.files.some(mustWrite))
  })
  const written = await writePlans(step, plans)
  for (const each of written) step.written.groups.set(each.entry.number, each)
  if (written.length < plans.length) return null
  if (marker.isInterrupted) await removeUnwritten(step)
  return filesOf(unchanged, written)
}

/** Writes the files of the groups that the target has and that changed, and removes those of groups that are gone. */
export async function updateGroups(step: ExportStep): Promise<WrittenGroupFiles> {
  const { unchanged, changed } = await findChanged(step, step.manifest?.groups ?? [])
  const files = (await readGroups(step, changed)).filter(({ found }) => found !== null)
  const plans = files.map(file => {
    const isPresent = new Set(file.found?.groups.map(({ name }) => name))
    return planOf(
      file,
      file.groups.filter(({ name }) => isPresent.has(name)),
      () => true
    )
  })
  return filesOf(unchanged, await writePlans(step, plans))
}

/** A file of groups that differs from what it is to name. */
interface ChangedGroupFile {
  number: number
  fingerprint: string
  sets: readonly OwnedGroup[]
}

/** Finds the files of groups that differ. `trusted`: entries that say what the target has. */
async function findChanged(
  step: ExportStep,
  trusted: readonly GroupFileEntry[]
): Promise<{ unchanged: GroupFileEntry[]; changed: ChangedGroupFile[] }> {
  const known = new Map(trusted.map(entry => [entry.number, entry]))
  const wanted = Map.groupBy(await step.groupSets, ({ name }) => groupNumber(name))
  const named = step.manifest?.groups.map(({ number }) => number) ?? []
  const present = step.isManifestTrusted ? named : [...named, ...(await listPresent(step))]
  const unchanged: GroupFileEntry[] = []
  const changed: ChangedGroupFile[] = []
  for (const number of new Set([...wanted.keys(), ...present])) {
    const sets = wanted.get(number) ?? []
    const fingerprint = fingerprintOf(sets)
    const entries = [step.written.groups.get(number)?.entry, known.get(number)]
    const entry = entries.find(each => each?.fingerprint === fingerprint)
    if (entry === undefined) changed.push({ number, fingerprint, sets })
    else unchanged.push(entry)
  }
  return { unchanged, changed }
}

/** The manifest names no file without a set. */
function filesOf(unchanged: readonly GroupFileEntry[], written: readonly WrittenGroups[]): WrittenGroupFiles {
  const withoutSets = fingerprintOf([])
  const isEmpty = ({ fingerprint }: GroupFileEntry) => fingerprint === withoutSets
  const rewritten = written.map(({ entry }) => entry)
  return {
    entries: [...unchanged, ...rewritten].filter(entry => !isEmpty(entry)).sort((a, b) => a.number - b.number),
    unneeded: rewritten.filter(isEmpty).map(({ path }) => path)
  }
}

/** The number of the file that names the groups of a set. */
export const groupNumber = (name: string): number => Number.parseInt(hashOf(name).slice(0, 4), 16) % fileCount

const fingerprintOf = (sets: readonly OwnedGroup[]): string =>
  hashOf(
    sets
      .map(({ name, fingerprint }) => `${name} ${fingerprint}`)
      .sort()
      .join('\n')
  )

async function listPresent({ target }: ExportStep): Promise<number[]> {
  const numbers: number[] = []
  for await (const { key } of target.store.list(groupFolder)) {
    const number = /\/(\d{1,2})\.json$/.exec(key)?.[1]
    if (number !== undefined) numbers.push(Number(number))
  }
  return numbers
}

/** A file of groups as the target has it, and as it is to be. */
interface GroupFileState extends ChangedGroupFile {
  /** Null where it is missing. */
  found: GroupFile | null
  groups: readonly OwnedGroup[]
  /** The groups that the target has, and the names of those it is to have, whatever file names them. */
  before: ReadonlyMap<string, GroupEntry>
  isWanted: ReadonlySet<string>
}

/** Only the groups of these files are asked for. */
async function readGroups(step: ExportStep, files: readonly ChangedGroupFile[]): Promise<GroupFileState[]> {
  const asked = step.surfaces.groupsOf(
    step.db,
    step.lists,
    files.flatMap(({ sets }) => sets)
  )
  const found = new Map<number, GroupFile | null>()
  const read = async ({ number }: ChangedGroupFile) => void found.set(number, await readCheckedGroups(step, number))
  await allEnded<unknown>([asked, forEachAsync(files, read, { concurrency: filesAtOnce, signal: step.signal })])
  const groups = await asked
  // Another file may have named a group, where its set was another: its files are the export's all the same.
  const named = [...found.values()].flatMap(file => file?.groups ?? [])
  const before = new Map(named.map(group => [group.name, group]))
  const isWanted = new Set([...groups.values()].flat().map(({ name }) => name))
  return files.map(file => {
    const ofFile = file.sets.flatMap(set => groups.get(set) ?? [])
    return { ...file, found: found.get(file.number) ?? null, groups: ofFile, before, isWanted }
  })
}

/** What is to be done for one file of groups. */
interface GroupPlan extends Pick<GroupFileState, 'number' | 'fingerprint' | 'before'> {
  unchanged: GroupEntry[]
  changed: OwnedGroup[]
  /** Paths of groups that are gone. */
  stale: string[]
}

/** `groups`: those of the file that the step looks at. `isTrusted`: the target has the files of a group as the entry says. */
function planOf(
  file: GroupFileState,
  groups: readonly OwnedGroup[],
  isTrusted: (entry: GroupEntry) => boolean
): GroupPlan {
  const { number, fingerprint, found, before, isWanted } = file
  const present = new Map(found?.groups.map(entry => [entry.name, entry]))
  const unchanged = groups.flatMap(({ name, fingerprint }) => {
    const entry = present.get(name)
    return entry?.fingerprint === fingerprint && isTrusted(entry) ? [entry] : []
  })
  const isUnchanged = new Set(unchanged.map(({ name }) => name))
  return {
    number,
    // Where groups are missing: without a fingerprint the next full step does not skip it.
    fingerprint: groups.length === file.groups.length ? fingerprint : '',
    before,
    unchanged,
    changed: groups.filter(({ name }) => !isUnchanged.has(name)),
    stale: [...present.values()].filter(({ name }) => !isWanted.has(name)).flatMap(({ files }) => pathsOf(files))
  }
}

const pathsOf = (files: readonly { path: string }[]): string[] => files.map(({ path }) => path)

async function writePlans(step: ExportStep, plans: readonly GroupPlan[]): Promise<WrittenGroups[]> {
  const written: WrittenGroups[] = []
  const write = async (batch: readonly GroupPlan[], lane: number) => {
    step.onProgress?.(step.done.posts)
    if (await step.mustYield()) return
    written.push(...(await writeBatch(step, batch, `groups ${lane}`)))
  }
  const batches = batched(plans, { maxSize: groupsAtOnce, sizeOf: plan => plan.changed.length })
  await forEachAsync(batches, write, { concurrency: batchesAtOnce, signal: step.signal })
  return written
}

/** Removes files of groups that are gone. Then claims the files of changed groups, writes them, and saves what names them. */
async function writeBatch(step: ExportStep, plans: readonly GroupPlan[], claimant: string): Promise<WrittenGroups[]> {
  const changed = plans.flatMap(plan => plan.changed)
  const made = await step.surfaces.filesOfGroups(step.db, changed)
  const isMade = new Set([...made.values()].flatMap(pathsOf))
  const before = plans.flatMap(plan => plan.changed.flatMap(group => filesBefore(plan, group)))
  const stale = [...pathsOf(before), ...plans.flatMap(plan => plan.stale)].filter(path => !isMade.has(path))
  await removeFiles(step, stale)
  const known = new Map(before.map(file => [file.path, file]))
  const unknown = [...isMade].filter(path => !known.has(path))
  if (unknown.length > 0) await step.writer.claim(claimant, unknown)
  const entries = new Map<OwnedGroup, GroupEntry>()
  const writeGroup = async (group: OwnedGroup) => {
    const files: GroupEntry['files'] = []
    for (const file of made.get(group) ?? []) files.push(await step.writer.write(file, known.get(file.path)))
    entries.set(group, { name: group.name, fingerprint: group.fingerprint, files })
  }
  await forEachAsync(changed, writeGroup, { concurrency: filesAtOnce, signal: step.signal })
  const written: WrittenGroups[] = []
  const save = async (plan: GroupPlan) => {
    const groups = [...plan.unchanged, ...plan.changed.flatMap(group => entries.get(group) ?? [])]
    groups.sort((a, b) => (a.name < b.name ? -1 : 1))
    const entry = await saveGroups(step, plan, { format: 2, origin: step.origin, groups })
    written.push({ entry, paths: groups.flatMap(({ files }) => pathsOf(files)) })
  }
  await forEachAsync(plans, save, { concurrency: filesAtOnce, signal: step.signal })
  return written
}

function filesBefore({ before }: GroupPlan, { name, fingerprint }: OwnedGroup): ManifestFile[] {
  const entry = before.get(name)
  const files = entry?.files ?? []
  return entry?.fingerprint === fingerprint ? files : files.map(ofChanged)
}

/** Removes files of groups that an interrupted run wrote and that no group has now. */
async function removeUnwritten(step: ExportStep): Promise<void> {
  const isWritten = new Set([...step.written.groups.values()].flatMap(({ paths }) => paths))
  await removeClaimedFiles(
    step,
    step.marker.claimed().filter(path => step.surfaces.isPathOfGroup(path) && !isWritten.has(path))
  )
}
