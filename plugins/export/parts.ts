import type { Serial } from '#core'
import { allEnded, eachAtOnce } from './concurrency.ts'
import { type ExportRun, isYielding } from './export-run.ts'
import { type ManifestFile, type ManifestPart, type PartEntry, type PostEntry, partPath } from './manifest.ts'
import { entryOf, readCheckedPart, savePart } from './part-file.ts'
import type { PartWithRows } from './part-with-rows.ts'
import { currentEntries, keepOld, noteWritten, shownBy } from './post-entries.ts'
import { listPart, listPublicSlugs, listStillPublic, type PublicRow } from './repository/export.ts'
import type { WantedPart } from './shown-posts.ts'
import { removeFiles } from './stale.ts'
import { isSafeSlug } from './surfaces.ts'

/**
 * Posts whose texts are in memory together: many short ones, or a few long ones. One may have over a megabyte. What is in work
 * outlives V8's young generation, so three times as many took 140 to 190 MB more.
 */
const batchOf = { posts: 24, bytes: 500_000 }
const batchesAtOnce = 2
const askEveryMs = 100

/**
 * Writes the changed posts of a part with its lists, and then what names them. `isKnown`: the manifest names the part, so that
 * its files are the export's own even when it is lost. `claimant`: of the marker. `serially`: for its posts. Null where an urgent step finds nothing of it.
 */
export async function writePart(
  run: ExportRun,
  { part, fingerprint }: WantedPart,
  { isKnown, claimant, serially }: { isKnown: boolean; claimant: string; serially: Serial }
): Promise<PartEntry | null> {
  const { before, rows: all } = await readPart(run, part)
  if (run.isUrgent && before === null) return null
  const rows = all.filter(row => isSafe(run, row))
  const entries = currentEntries(run, { part, before, rows, beside: await run.shown.besideOf(part) })
  const old = new Map(before?.posts.map(entry => [entry.post_id, entry]))
  const isToWrite = ({ post_id }: PublicRow) => !entries.has(post_id) && (!run.isUrgent || old.has(post_id))
  const changed = rows.filter(isToWrite)
  run.done.posts += entries.size
  await serially(async () => {
    if (changed.length > 0)
      await writePosts(run, { claimant, changed, before, entries, isOurs: isKnown && before === null })
    if (run.done.isYielding) keepOld(entries, { rows, old })
    await removeDropped(run, before?.posts ?? [], entries)
  })
  const posts = rows.flatMap(({ post_id }) => entries.get(post_id) ?? [])
  const filesBefore = before?.files ?? []
  // The pass for what it yields to writes them.
  const files =
    run.done.isYielding || isListedSo(run, before, posts)
      ? filesBefore
      : await writePartFiles(run, part, { rows, entries, before: filesBefore })
  const isWhole = !run.done.isYielding && !run.isUrgent
  const about = isWhole ? { fingerprint, origin: run.origin } : { fingerprint: '', origin: before?.origin ?? '' }
  const content: ManifestPart = { format: 2, ...about, files, posts }
  const entry =
    before !== null && changed.length === 0
      ? await savePartIfChanged(run, part, { before, content })
      : await savePart(run, part, content)
  if (isWhole) noteWritten(run, part, entry, posts)
  return entry
}

/** Whether the files of a part show the same posts already: only what is shown beside them has changed. */
function isListedSo(
  { isTrusted, origin }: ExportRun,
  before: ManifestPart | null,
  posts: readonly PostEntry[]
): boolean {
  // Without a fingerprint it was not written to its end.
  if (!isTrusted || before === null || before.fingerprint === '' || before.origin !== origin) return false
  const versions = (entries: readonly PostEntry[]) =>
    entries.map(({ post_id, slug, revision }) => `${post_id} ${slug} ${revision}`).join()
  return versions(before.posts) === versions(posts)
}

async function readPart(run: ExportRun, part: number): Promise<PartWithRows> {
  const known = run.readParts.get(part)
  run.readParts.delete(part)
  return known ?? { before: await readCheckedPart(run.target.store, part), rows: await listPart(run.db, part) }
}

async function savePartIfChanged(
  run: ExportRun,
  part: number,
  { before, content }: { before: ManifestPart; content: ManifestPart }
): Promise<PartEntry> {
  const isSame = JSON.stringify(before) === JSON.stringify(content)
  const isDistrusted = run.isForced || run.marker.isInterrupted || run.distrusted.has(partPath(part))
  return isSame && !isDistrusted ? entryOf(part, content) : savePart(run, part, content)
}

/** The files of a post that it has no more, as after a changed setting. */
async function removeUnneeded(run: ExportRun, before: readonly ManifestFile[], { files }: PostEntry): Promise<void> {
  const paths = new Set(files.map(({ path }) => path))
  const unneeded = before.filter(({ path }) => !paths.has(path))
  if (unneeded.length > 0)
    await removeFiles(
      run,
      unneeded.map(({ path }) => path)
    )
}

/** The files of posts that were withdrawn or moved while their part was written: nothing names them any more. */
async function removeDropped(
  run: ExportRun,
  before: readonly PostEntry[],
  entries: ReadonlyMap<string, PostEntry>
): Promise<void> {
  const dropped = before.filter(({ post_id }) => !entries.has(post_id))
  const isPublic = await listPublicSlugs(
    run.db,
    dropped.map(({ slug }) => slug)
  )
  const stale = dropped.filter(({ slug }) => !isPublic.has(slug))
  await removeFiles(
    run,
    stale.flatMap(({ files }) => files.map(({ path }) => path))
  )
}

interface PostsToWrite {
  claimant: string
  changed: readonly PublicRow[]
  before: ManifestPart | null
  entries: Map<string, PostEntry>
  /** Whatever is at their paths. */
  isOurs: boolean
}

async function writePosts(run: ExportRun, { claimant, changed, before, entries, isOurs }: PostsToWrite): Promise<void> {
  const known = new Map((before?.posts ?? []).flatMap(({ files }) => files.map(file => [file.path, file])))
  const filesBefore = new Map((before?.posts ?? []).map(({ post_id, files }) => [post_id, files]))
  await run.marker.claim(
    claimant,
    changed.flatMap(({ slug }) => run.surfaces.pathsOf(slug))
  )
  const write = async (batch: readonly PublicRow[]) => {
    await run.throttle(() => isYielding(run, askEveryMs))
    if (run.done.isYielding) return
    const written = await writeBatch(run, batch, { known, isOurs })
    for (const entry of written) {
      await removeUnneeded(run, filesBefore.get(entry.post_id) ?? [], entry)
      entries.set(entry.post_id, entry)
      if (!run.isUrgent) run.written.posts.set(entry.post_id, shownBy(entry))
    }
    run.done.posts += batch.length
    run.onProgress?.(run.done.posts)
    await isYielding(run, askEveryMs)
  }
  await eachAtOnce([...batchesOf(changed)], run.signal, write, batchesAtOnce)
}

function* batchesOf(rows: readonly PublicRow[]): Generator<PublicRow[]> {
  let batch: PublicRow[] = []
  let bytes = 0
  for (const row of rows) {
    if (batch.length > 0 && (batch.length >= batchOf.posts || bytes + row.bytes > batchOf.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += row.bytes
  }
  if (batch.length > 0) yield batch
}

async function writeBatch(
  run: ExportRun,
  batch: readonly PublicRow[],
  { known, isOurs }: { known: ReadonlyMap<string, ManifestFile>; isOurs: boolean }
): Promise<PostEntry[]> {
  const { db, published, surfaces, writer, target } = run
  const texts = await published.texts(
    db,
    batch.map(({ post_id }) => post_id)
  )
  const expected = new Map(batch.map(({ post_id, slug }) => [post_id, slug]))
  const written: PostEntry[] = []
  // One that moved meanwhile is written by the next run, under its new slug.
  const current = texts.filter(({ post }) => expected.get(post.post_id) === post.slug)
  const made = await surfaces.filesOf(
    db,
    current.map(({ post }) => post)
  )
  await eachAtOnce([...current.entries()], run.signal, async ([at, { post, revision }]) => {
    const { post_id, slug } = post
    // A bucket takes seconds for a batch.
    if (await isYielding(run, askEveryMs)) return
    const { files = [], beside } = made[at] ?? {}
    const done = await allEnded(files.map(file => writer.write(file, known.get(file.path), isOurs)))
    written.push({ post_id, slug, revision, ...(beside === undefined ? {} : { beside }), files: done })
  })
  // One that was withdrawn meanwhile is removed here, or by what follows the withdrawal: its files were there before this look.
  const isPublic = await listStillPublic(db, written)
  const withdrawn = written.filter(({ post_id, slug }) => isPublic.get(post_id) !== slug)
  for (const { path } of withdrawn.flatMap(({ files }) => files)) await target.store.delete(path)
  return written.filter(entry => !withdrawn.includes(entry))
}

async function writePartFiles(
  run: ExportRun,
  part: number,
  {
    rows,
    entries,
    before
  }: { rows: readonly PublicRow[]; entries: ReadonlyMap<string, PostEntry>; before: ManifestFile[] }
): Promise<ManifestFile[]> {
  const listed = rows.filter(({ post_id }) => entries.has(post_id)).map(({ post_no }) => post_no)
  const order = new Map(listed.map((post_no, at) => [post_no, at]))
  const numbered = await run.published.byNumber(run.db, listed, 0)
  numbered.sort((a, b) => (order.get(a.post_no) ?? 0) - (order.get(b.post_no) ?? 0))
  const posts = numbered.map(({ post }) => post)
  const made = await Promise.all(run.surfaces.all().map(surface => surface.partFiles?.({ part, posts }) ?? []))
  const known = new Map(before.map(file => [file.path, file]))
  return allEnded(made.flat().map(file => run.writer.write(file, known.get(file.path), run.marker.isMarked)))
}

function isSafe({ log }: ExportRun, { post_id, slug }: PublicRow): boolean {
  if (isSafeSlug(slug)) return true
  log.warn({ post_id, slug }, 'a post is left out of the export: its slug is not a file name')
  return false
}
