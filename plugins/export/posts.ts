import { allEnded, batched, forEachAsync } from '#concurrency'
import { filesAtOnce, postBatchesAtOnce } from './concurrency.ts'
import type { ExportStep } from './export-step.ts'
import { type ManifestFile, ofChanged, type PostEntry } from './manifest.ts'
import type { PartWork } from './part-work.ts'
import { listStillPublic, type PublicRow } from './repository/export.ts'
import { removeFiles, withoutPublic } from './stale.ts'

/**
 * The posts of a batch, whose texts are in memory at the same time: many short ones, or a few long ones. One text may have over
 * a megabyte. Batches of three times the size took 140 to 190 MB more: they outlive V8's young generation.
 */
const maxBatch = { maxItems: 24, maxSize: 500_000 }
const askEveryMs = 100

/**
 * Writes the changed posts of a part. `claimant`: of the marker. `isOurs`: whatever is at their paths is the export's.
 * @returns whether it yielded before its end
 */
export async function writePosts(
  step: ExportStep,
  { part, changed, before, entries }: PartWork,
  { claimant, isOurs }: { claimant: string; isOurs: boolean }
): Promise<boolean> {
  if (changed.length === 0) return false
  const revisions = new Map(changed.map(({ post_id, revision }) => [post_id, revision]))
  const known = new Map(
    (before?.posts ?? []).flatMap(({ post_id, revision, files }) =>
      files.map(file => [file.path, revision === revisions.get(post_id) ? file : ofChanged(file)])
    )
  )
  const filesBefore = new Map((before?.posts ?? []).map(({ post_id, files }) => [post_id, files]))
  await step.writer.claim(
    claimant,
    changed.flatMap(({ slug }) => step.surfaces.pathsOf(slug)),
    path => isOurs || known.has(path)
  )
  const write = async (batch: readonly PublicRow[]) => {
    await step.throttle(() => step.mustYield(askEveryMs))
    if (await step.mustYield(askEveryMs)) return
    for (const entry of await writeBatch(step, batch, { known, isOurs })) {
      await removeUnneeded(step, filesBefore.get(entry.post_id) ?? [], entry)
      entries.set(entry.post_id, entry)
    }
    step.done.posts += batch.length
    step.onProgress?.(step.done.posts)
  }
  const writeInTurn = (batch: readonly PublicRow[]) => step.withPermit(part, () => write(batch))
  const batches = batched(changed, { ...maxBatch, sizeOf: row => row.bytes })
  await forEachAsync(batches, writeInTurn, { concurrency: postBatchesAtOnce, signal: step.signal })
  return step.mustYield(askEveryMs)
}

async function writeBatch(
  step: ExportStep,
  batch: readonly PublicRow[],
  { known, isOurs }: { known: ReadonlyMap<string, ManifestFile>; isOurs: boolean }
): Promise<PostEntry[]> {
  const { db, published, surfaces, lists, writer, target } = step
  const texts = await published.texts(
    db,
    batch.map(({ post_id }) => post_id)
  )
  const expected = new Map(batch.map(({ post_id, slug }) => [post_id, slug]))
  const written: PostEntry[] = []
  // A post that has a new slug by now is written by the next run.
  const current = texts.filter(({ post }) => expected.get(post.post_id) === post.slug)
  const made = await surfaces.filesOf(
    db,
    current.map(({ post }) => post),
    lists
  )
  const write = async ([at, { post, revision }]: [number, (typeof current)[number]]) => {
    const { post_id, slug } = post
    // A bucket takes seconds for a batch.
    if (await step.mustYield(askEveryMs)) return
    const { files = [], dependencies } = made[at] ?? {}
    const done = await allEnded(files.map(file => writer.write(file, known.get(file.path), isOurs)))
    written.push({ post_id, slug, revision, ...(dependencies === undefined ? {} : { dependencies }), files: done })
  }
  await forEachAsync(current.entries(), write, { concurrency: filesAtOnce, signal: step.signal })
  // A post may have been withdrawn since the texts were read. Later withdrawals find these files and remove them.
  const isPublic = await listStillPublic(db, written)
  const withdrawn = written.filter(({ post_id, slug }) => isPublic.get(post_id) !== slug)
  for (const { path } of withdrawn.flatMap(({ files }) => files)) await target.store.delete(path)
  return written.filter(entry => !withdrawn.includes(entry))
}

/** Removes the files that a post had before and does not have now, as after a changed setting. */
async function removeUnneeded(step: ExportStep, before: readonly ManifestFile[], { files }: PostEntry): Promise<void> {
  const paths = new Set(files.map(({ path }) => path))
  await removeFiles(
    step,
    before.map(({ path }) => path).filter(path => !paths.has(path))
  )
}

/** Removes the files of posts that were withdrawn, or had a new slug, while their part was written: no manifest names them. */
export async function removeDropped(step: ExportStep, { before, entries }: PartWork): Promise<void> {
  const dropped = before?.posts.filter(({ post_id }) => !entries.has(post_id)) ?? []
  const stale = await withoutPublic(step, dropped)
  await removeFiles(
    step,
    stale.flatMap(({ files }) => files.map(({ path }) => path))
  )
}
