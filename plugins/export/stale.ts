import { allEnded, forEachAsync } from '#concurrency'
import { filesAtOnce } from './concurrency.ts'
import type { ExportStep } from './export-step.ts'
import {
  maxPostBytes,
  type PartManifest,
  partManifestFolder,
  partManifestPath,
  readPartManifest,
  readTargetText
} from './manifest.ts'
import { readCheckedPartManifest, savePartManifest } from './manifest-files.ts'
import { listPostsOfPart, listPublicSlugs, type PublicRow } from './repository/export.ts'
import { slugIn } from './surfaces.ts'

/** Parts that are in memory at the same time. */
export const partsAtOnce = 4

/**
 * Removes the files of posts that are not public, or not under this slug. The manifests of their parts are saved before anything
 * else is written: a post may take over the slug of another.
 */
export async function removeWithdrawnPosts(step: ExportStep, parts: readonly number[]): Promise<void> {
  const removeOf = async (part: number) => {
    const rows = await listPostsOfPart(step.db, part)
    const before = await removeStale(step, part, rows)
    if (parts.length <= partsAtOnce) step.partStates.set(part, { before, rows })
  }
  await forEachAsync(parts, removeOf, { concurrency: partsAtOnce, signal: step.signal })
}

/** @returns the manifest of the part, without those posts */
async function removeStale(step: ExportStep, part: number, rows: readonly PublicRow[]): Promise<PartManifest | null> {
  const before = await readCheckedPartManifest(step.target.store, part)
  const slugs = new Map(rows.map(({ post_id, slug }) => [post_id, slug]))
  const isStale = ({ post_id, slug }: { post_id: string; slug: string }) => slugs.get(post_id) !== slug
  const stale = before?.posts.filter(isStale) ?? []
  if (before === null || stale.length === 0) return before
  await removeFiles(
    step,
    stale.flatMap(({ files }) => files.map(({ path }) => path))
  )
  const after = { ...before, fingerprint: '', posts: before.posts.filter(post => !isStale(post)) }
  await savePartManifest(step, part, after)
  return after
}

/** Removes the files that an interrupted run claimed for posts that are not public now. */
export async function removeClaimedPostFiles(step: ExportStep): Promise<void> {
  const claimed = step.marker.claimed().flatMap(path => {
    const slug = slugIn(path)
    return slug === null ? [] : [{ path, slug }]
  })
  const stale = await withoutPublic(step, claimed)
  await removeClaimedFiles(
    step,
    stale.map(({ path }) => path)
  )
}

/** Those of these whose slug no public post has. */
export async function withoutPublic<T extends { slug: string }>({ db }: ExportStep, items: readonly T[]): Promise<T[]> {
  const isPublic = await listPublicSlugs(
    db,
    items.map(({ slug }) => slug)
  )
  return items.filter(({ slug }) => !isPublic.has(slug))
}

/** Of others' files some may be large: few are read at once. */
const readAtOnce = 8

/** The run may have been killed before it found out that a file at one of these paths is of others. */
export async function removeClaimedFiles(step: ExportStep, paths: readonly string[]): Promise<void> {
  const { store } = step.target
  const ours: string[] = []
  const collectOurs = async (path: string) => {
    const found = await readTargetText(store, path, maxPostBytes)
    if (found !== null && step.surfaces.isClaimedOwn(path, found.text)) ours.push(path)
  }
  await forEachAsync(paths, collectOurs, { concurrency: readAtOnce, signal: step.signal })
  await removeFiles(step, ours)
}

/** Removes the list pages of a part without posts, and then its manifest. */
export async function removePart(step: ExportStep, part: number): Promise<void> {
  const files = (await readPartManifest(step.target.store, part))?.files ?? []
  await removeFiles(step, [...files.map(({ path }) => path), partManifestPath(part)])
}

/** The parts whose manifests are in the target. */
export async function listPresentParts({ target }: Pick<ExportStep, 'target'>): Promise<number[]> {
  const parts: number[] = []
  for await (const { key } of target.store.list(partManifestFolder)) {
    const part = /^manifest\/(\d{1,7})\.json$/.exec(key)?.[1]
    if (part !== undefined) parts.push(Number(part))
  }
  return parts
}

export async function removeFiles(step: ExportStep, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  // The removal does not wait for the marker. If the process dies, a manifest still names these files, and the next run goes on.
  const { unremoved } = step
  const remove = async (path: string) => {
    try {
      await step.target.store.delete(path)
      step.done.removed += 1
    } catch (error) {
      if (unremoved === undefined) throw error
      unremoved.set(path, error)
    }
  }
  const removing = forEachAsync(paths, remove, { concurrency: filesAtOnce, signal: step.signal })
  await allEnded([step.marker.begin(), removing])
  // No manifest will name them.
  if (unremoved !== undefined && paths.some(path => unremoved.has(path)))
    await step.marker.claim('unremoved', [...unremoved.keys()])
}
