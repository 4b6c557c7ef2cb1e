import { allEnded, eachAtOnce } from './concurrency.ts'
import { type ExportRun, isYielding } from './export-run.ts'
import { type GroupEntry, type GroupFile, type GroupFileEntry, groupFolder, type Manifest } from './manifest.ts'
import { readCheckedGroups, saveGroups } from './part-file.ts'
import { removeFiles } from './stale.ts'
import { hashOf, type OwnedGroup } from './surfaces.ts'
import type { WrittenGroups } from './written.ts'

/** Groups are named in so many files: one change writes few of them, and each is small. */
const fileCount = 64
/** Groups whose files are in memory together, twice: the database answers for some while the pages of others are made. */
const groupsAtOnce = 32
const batchesAtOnce = 2

export interface AllGroups {
  groups: GroupFileEntry[]
  /** Files of groups that have none any more. */
  gone: string[]
}

/** Writes the files of the groups that changed, and removes those of groups that are gone. */
export async function writeGroups(run: ExportRun, manifest: Manifest | null): Promise<AllGroups> {
  const before = new Map(manifest?.groups.map(entry => [entry.number, entry]))
  const wanted = Map.groupBy(await run.groupSets, ({ name }) => groupNumber(name))
  const present = run.isTrusted ? [...before.keys()] : [...new Set([...before.keys(), ...(await listPresent(run))])]
  const unchanged: GroupFileEntry[] = []
  const changed: ChangedGroupFile[] = []
  for (const number of new Set([...wanted.keys(), ...present])) {
    const sets = wanted.get(number) ?? []
    const fingerprint = fingerprintOf(sets)
    const known = run.isTrusted || run.isUrgent ? before.get(number) : undefined
    const entry = [run.written.groups.get(number)?.entry, known].find(each => each?.fingerprint === fingerprint)
    if (entry === undefined) changed.push({ number, fingerprint, sets })
    else unchanged.push(entry)
  }
  const written = await writePlans(run, await planAll(run, changed))
  if (run.done.isYielding) return { groups: [], gone: [] }
  if (run.marker.isInterrupted && !run.isUrgent) await removeUnwritten(run)
  const isEmpty = ({ number }: { number: number }) => !wanted.has(number)
  return {
    groups: [...unchanged, ...written.map(({ entry }) => entry)]
      .filter(entry => !isEmpty(entry))
      .sort((a, b) => a.number - b.number),
    gone: written.filter(({ entry }) => isEmpty(entry)).map(({ entry }) => entry.path)
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

async function listPresent({ target }: ExportRun): Promise<number[]> {
  const numbers: number[] = []
  for await (const { key } of target.store.list(groupFolder)) {
    const number = /\/(\d{1,2})\.json$/.exec(key)?.[1]
    if (number !== undefined) numbers.push(Number(number))
  }
  return numbers
}

/** A file of groups that is not as it should be. */
interface ChangedGroupFile {
  number: number
  fingerprint: string
  sets: readonly OwnedGroup[]
}

/** Only the groups of these files are asked for. */
async function planAll(run: ExportRun, files: readonly ChangedGroupFile[]): Promise<GroupPlan[]> {
  const asked = run.surfaces.groupsOf(
    run.db,
    run.lists,
    files.flatMap(({ sets }) => sets)
  )
  const found = new Map<number, GroupFile | null>()
  const read = async ({ number }: ChangedGroupFile) => void found.set(number, await readCheckedGroups(run, number))
  await allEnded<unknown>([asked, eachAtOnce(files, run.signal, read)])
  const groups = await asked
  // A group may have been named in another file: where sets are cut otherwise, none of its files is somebody's.
  const named = [...found.values()].flatMap(file => file?.groups ?? [])
  const before = new Map(named.map(group => [group.name, group]))
  const isWanted = new Set([...groups.values()].flat().map(({ name }) => name))
  return files
    .filter(({ number }) => found.get(number) !== null || !run.isUrgent)
    .map(file => {
      const ofFile = file.sets.flatMap(set => groups.get(set) ?? [])
      return planOf(run, { ...file, groups: ofFile, before, isWanted }, found.get(file.number) ?? null)
    })
}

/** What is to be done for one file of groups. */
interface GroupPlan {
  number: number
  fingerprint: string
  before: ReadonlyMap<string, GroupEntry>
  unchanged: GroupEntry[]
  changed: OwnedGroup[]
  /** Paths of groups that are gone. */
  stale: string[]
}

interface WantedGroups extends ChangedGroupFile {
  groups: readonly OwnedGroup[]
  before: ReadonlyMap<string, GroupEntry>
  /** Names of groups, whatever file names them. */
  isWanted: ReadonlySet<string>
}

function planOf(
  run: ExportRun,
  { number, fingerprint, groups, before, isWanted }: WantedGroups,
  found: GroupFile | null
): GroupPlan {
  const own = new Map(found?.groups.map(group => [group.name, group]))
  const isDistrusted = !run.isUrgent && (run.isForced || run.marker.isInterrupted || found?.origin !== run.origin)
  const unchanged = groups.flatMap(({ name, fingerprint }) => {
    const group = own.get(name)
    const isCurrent = group?.fingerprint === fingerprint && !group.files.some(({ path }) => run.distrusted.has(path))
    return group !== undefined && isCurrent && !isDistrusted ? [group] : []
  })
  const isUnchanged = new Set(unchanged.map(({ name }) => name))
  const changed = groups.filter(({ name }) => !isUnchanged.has(name) && (!run.isUrgent || own.has(name)))
  const isWhole = unchanged.length + changed.length === groups.length
  return {
    number,
    // Of one that lacks groups: the run that comes next looks at it.
    fingerprint: isWhole ? fingerprint : '',
    before,
    unchanged,
    changed,
    stale: [...own.values()].filter(({ name }) => !isWanted.has(name)).flatMap(({ files }) => pathsOf(files))
  }
}

const pathsOf = (files: readonly { path: string }[]): string[] => files.map(({ path }) => path)

async function writePlans(run: ExportRun, plans: readonly GroupPlan[]): Promise<WrittenGroups[]> {
  const written: WrittenGroups[] = []
  const write = async (batch: readonly GroupPlan[], lane: number) => {
    run.onProgress?.(run.done.posts)
    if (run.done.isYielding || (await isYielding(run))) return
    written.push(...(await writeBatch(run, batch, `groups ${lane}`)))
  }
  await eachAtOnce([...batchesOf(plans)], run.signal, write, batchesAtOnce)
  if (!run.isUrgent) for (const each of written) run.written.groups.set(each.entry.number, each)
  return written
}

function* batchesOf(plans: readonly GroupPlan[]): Generator<GroupPlan[]> {
  let batch: GroupPlan[] = []
  let groups = 0
  for (const plan of plans) {
    batch.push(plan)
    groups += plan.changed.length
    if (groups < groupsAtOnce) continue
    yield batch
    batch = []
    groups = 0
  }
  if (batch.length > 0) yield batch
}

/** What is gone goes first. The files of the changed groups are claimed before they are written, and named afterwards. */
async function writeBatch(run: ExportRun, plans: readonly GroupPlan[], claimant: string): Promise<WrittenGroups[]> {
  const changed = plans.flatMap(plan => plan.changed)
  const made = await run.surfaces.filesOfGroups(run.db, changed)
  const isMade = new Set([...made.values()].flatMap(pathsOf))
  const before = plans.flatMap(plan => plan.changed.flatMap(({ name }) => plan.before.get(name)?.files ?? []))
  const stale = [...pathsOf(before), ...plans.flatMap(plan => plan.stale)].filter(path => !isMade.has(path))
  await removeFiles(run, stale)
  const known = new Map(before.map(file => [file.path, file]))
  const unknown = [...isMade].filter(path => !known.has(path))
  if (unknown.length > 0) await run.marker.claim(claimant, unknown)
  const entries = new Map<OwnedGroup, GroupEntry>()
  await eachAtOnce(changed, run.signal, async group => {
    const files: GroupEntry['files'] = []
    for (const file of made.get(group) ?? []) files.push(await run.writer.write(file, known.get(file.path)))
    entries.set(group, { name: group.name, fingerprint: group.fingerprint, files })
  })
  const written: WrittenGroups[] = []
  await eachAtOnce(plans, run.signal, async plan => {
    const groups = [...plan.unchanged, ...plan.changed.flatMap(group => entries.get(group) ?? [])]
    groups.sort((a, b) => (a.name < b.name ? -1 : 1))
    const entry = await saveGroups(run, plan, { format: 2, origin: run.origin, groups })
    written.push({ entry, paths: groups.flatMap(({ files }) => pathsOf(files)) })
  })
  return written
}

/** What an interrupted run began of groups that are not as they were then. */
async function removeUnwritten(run: ExportRun): Promise<void> {
  const isWritten = new Set([...run.written.groups.values()].flatMap(({ paths }) => paths))
  await removeFiles(
    run,
    run.marker.claimed().filter(path => run.surfaces.isPathOfGroup(path) && !isWritten.has(path))
  )
}
