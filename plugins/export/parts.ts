import { allEnded, forEachAsync } from '#concurrency'
import type { ExportStep } from './export-step.ts'
import {
  isRetryDue,
  type ManifestFile,
  type PartEntry,
  type PartManifest,
  type PostEntry,
  partManifestPath
} from './manifest.ts'
import { entryOf, savePartManifest } from './manifest-files.ts'
import { contentKeyOf, openPart, type PartWork } from './part-work.ts'
import { removeDropped, writePosts } from './posts.ts'
import type { WantedPart } from './shown-posts.ts'
import { listPresentParts, removeClaimedPostFiles, removeWithdrawnPosts } from './stale.ts'

/** What is to be done for the parts. */
export interface PartsPlan {
  /** Those that the step skips. */
  unchanged: ReadonlyMap<number, PartEntry>
  /** Those that the target has. */
  present: readonly number[]
}

/** Removes the files of withdrawn posts, and finds the parts that differ. `trusted`: entries that say what the target has. */
export async function planParts(step: ExportStep, trusted: readonly PartEntry[]): Promise<PartsPlan> {
  const { manifest, marker, shown, written } = step
  const known = new Map(trusted.map(entry => [entry.part, entry]))
  const isComplete = manifest !== null && !marker.isInterrupted
  const present = isComplete ? manifest.parts.map(({ part }) => part) : await listPresentParts(step)
  const unchanged = new Map(
    shown.parts.flatMap(({ part, fingerprint }) => {
      const entry = [written.parts.get(part), known.get(part)].find(each => each?.fingerprint === fingerprint)
      return entry === undefined ? [] : [[part, entry]]
    })
  )
  await removeWithdrawnPosts(
    step,
    present.filter(part => !unchanged.has(part))
  )
  if (marker.isInterrupted) await removeClaimedPostFiles(step)
  return { unchanged, present }
}

/** Has `write` write the parts that differ. @returns the entries of all parts, without those for which it answers null */
export async function eachPart(
  step: ExportStep,
  { unchanged }: PartsPlan,
  atOnce: number,
  write: (wanted: WantedPart, lane: number) => Promise<PartEntry | null>
): Promise<PartEntry[]> {
  const entries = new Map<number, PartEntry>()
  const writeUnlessUnchanged = async (wanted: WantedPart, lane: number) => {
    const { part } = wanted
    step.onProgress?.(step.done.posts)
    const known = unchanged.get(part)
    if (known !== undefined && step.written.parts.has(part)) step.done.posts += known.posts
    const entry = known ?? (await write(wanted, lane))
    if (entry !== null) entries.set(part, entry)
  }
  await forEachAsync(step.shown.parts, writeUnlessUnchanged, { concurrency: atOnce, signal: step.signal })
  return step.shown.parts.flatMap(({ part }) => entries.get(part) ?? [])
}

/**
 * Writes the changed posts of a part, its list pages, and its manifest. `claimant`: of the marker. Null where
 * the step yields: the posts that are written by then are saved, and a later step goes on.
 */
export async function writePart(
  step: ExportStep,
  { part, fingerprint }: WantedPart,
  claimant: string
): Promise<PartEntry | null> {
  const work = await openPart(step, part, (entry, before) => isAsSaved(step, part, { entry, before }))
  step.done.posts += work.entries.size
  // A part that the manifest names is the export's, also where its file is lost.
  const isOurs = work.before === null && step.manifest?.parts.some(each => each.part === part) === true
  const hasYielded = await writePosts(step, work, { claimant, isOurs })
  if (hasYielded) leaveUnwritten(step, work)
  await removeDropped(step, work)
  if (hasYielded) {
    await savePartManifest(step, part, unfinished(work, work.before?.files ?? []))
    return null
  }
  const written = unfinished(work, await writePartFiles(step, work))
  const content = { ...written, fingerprint, origin: step.origin }
  const entry = await savePartManifestIfChanged(step, work, content)
  step.written.parts.set(part, entry)
  for (const { post_id } of content.posts) step.written.posts.delete(post_id)
  return entry
}

/** Writes what differs of the posts that the target has. Null for a part that it does not have. */
export async function updatePart(step: ExportStep, { part }: WantedPart, claimant: string): Promise<PartEntry | null> {
  const all = await openPart(step, part, () => true)
  if (all.before === null) return null
  const isPresent = new Set(all.before.posts.map(({ post_id }) => post_id))
  const work = { ...all, changed: all.changed.filter(({ post_id }) => isPresent.has(post_id)) }
  await writePosts(step, work, { claimant, isOurs: false })
  await removeDropped(step, work)
  return savePartManifestIfChanged(step, work, unfinished(work, await writePartFiles(step, work)))
}

/** Whether the target has the files of a post as the entry says: an earlier step wrote them, or they are trusted. */
function isAsSaved(
  { written, origin, marker, mustRewrite, now }: ExportStep,
  part: number,
  { entry, before }: { entry: PostEntry; before: PartManifest }
): boolean {
  if (written.parts.has(part) || written.posts.get(entry.post_id) === contentKeyOf(entry)) return true
  const mustWrite = (file: ManifestFile) =>
    mustRewrite(file.path) || marker.hasClaimed(file.path) || isRetryDue(file, now())
  return before.origin === origin && !entry.files.some(mustWrite)
}

const postsOf = ({ rows, entries }: PartWork): PostEntry[] => rows.flatMap(({ post_id }) => entries.get(post_id) ?? [])

/** Without a fingerprint: the next full step does not skip it. */
const unfinished = (work: PartWork, files: ManifestFile[]): PartManifest => ({
  format: 2,
  fingerprint: '',
  origin: work.before?.origin ?? '',
  files,
  posts: postsOf(work)
})

/** Notes which posts a step that yields has written. The files of the others stay as they are. */
function leaveUnwritten({ written }: ExportStep, { before, changed, entries }: PartWork): void {
  const old = new Map(before?.posts.map(entry => [entry.post_id, entry]))
  for (const { post_id, slug } of changed) {
    const entry = entries.get(post_id)
    const oldEntry = old.get(post_id)
    if (entry !== undefined) written.posts.set(post_id, contentKeyOf(entry))
    else if (oldEntry?.slug === slug) entries.set(post_id, oldEntry)
  }
}

async function savePartManifestIfChanged(step: ExportStep, work: PartWork, content: PartManifest): Promise<PartEntry> {
  const { part, before, changed } = work
  const mayStay = !step.marker.isInterrupted && !step.mustRewrite(partManifestPath(part))
  const isSame = changed.length === 0 && mayStay && JSON.stringify(before) === JSON.stringify(content)
  return isSame ? entryOf(part, content) : savePartManifest(step, part, content)
}

/** Writes the list pages of a part, unless they show the same posts already. */
async function writePartFiles(step: ExportStep, work: PartWork): Promise<ManifestFile[]> {
  const { part, before, rows, entries } = work
  if (before !== null && areListPagesCurrent(step, before, postsOf(work))) return before.files
  const listed = rows.filter(({ post_id }) => entries.has(post_id)).map(({ post_no }) => post_no)
  const order = new Map(listed.map((post_no, at) => [post_no, at]))
  const numbered = await step.published.byNumber(step.db, listed, 0)
  numbered.sort((a, b) => (order.get(a.post_no) ?? 0) - (order.get(b.post_no) ?? 0))
  const posts = numbered.map(({ post }) => post)
  const made = await Promise.all(step.surfaces.all().map(surface => surface.partFiles?.({ part, posts }) ?? []))
  const known = new Map(before?.files.map(file => [file.path, file]))
  return allEnded(made.flat().map(file => step.writer.write(file, known.get(file.path), step.marker.isMarked)))
}

/** Whether the list pages show the same posts already. A part without a fingerprint was not written to its end. */
function areListPagesCurrent(
  { isManifestTrusted, origin, now }: ExportStep,
  before: PartManifest,
  posts: readonly PostEntry[]
): boolean {
  if (!isManifestTrusted || before.fingerprint === '' || before.origin !== origin) return false
  if (before.files.some(file => isRetryDue(file, now()))) return false
  const versions = (entries: readonly PostEntry[]) =>
    entries.map(({ post_id, slug, revision }) => `${post_id} ${slug} ${revision}`).join()
  return versions(before.posts) === versions(posts)
}
