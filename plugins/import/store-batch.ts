import type { Db, Tx } from '#core'
import type { Announce, PostRef, Posts } from '#plugins/posts'
import type { ConvertedPost } from './convert-posts.ts'
import { formerPath } from './former-path.ts'
import type { ImportReporter } from './report.ts'
import { insertRedirects, listImported, lockSite, recordImported } from './repository.ts'
import type { ImportSource, SourcePost } from './source-post.ts'

interface StoringDeps {
  db: Db
  posts: Pick<Posts, 'imports'>
  actor: string
  announce: Announce
}

/** Stores a batch of posts with all that belongs to them, in one transaction, and reports it. */
export async function storeBatch(
  deps: StoringDeps,
  source: ImportSource,
  converted: readonly ConvertedPost[],
  { report, countImported }: ImportReporter
): Promise<void> {
  if (converted.length === 0) return
  const stored = await deps.db.transaction(async tx => {
    await lockSite(tx, source)
    // Another import of the same site may have stored some of them meanwhile.
    const known = await listImported(
      tx,
      source,
      converted.map(({ source: { id } }) => id)
    )
    const fresh = converted.filter(({ source: { id } }) => !known.has(id))
    return fresh.length === 0 ? [] : storeAll(tx, deps, source, fresh)
  })
  for (const each of stored) countImported(each.converted, each)
  report.unchanged += converted.length - stored.length
}

/** A post that was stored. */
interface Stored {
  converted: ConvertedPost
  slug: string
  redirects: number
}

async function storeAll(
  tx: Tx,
  { posts, actor, announce }: StoringDeps,
  source: ImportSource,
  fresh: readonly ConvertedPost[]
): Promise<Stored[]> {
  const refs = await posts.imports.insert(
    tx,
    fresh.map(({ post }) => post),
    { actor, reason: `imported from ${source.system}`, announce }
  )
  const pairs = fresh.flatMap((converted, index) => {
    const ref = refs[index]
    return ref === undefined ? [] : [{ converted, ref }]
  })
  await recordImported(
    tx,
    source,
    pairs.map(({ converted, ref }) => ({ source_id: converted.source.id, post_id: ref.post_id }))
  )
  const redirects = await redirectAll(tx, pairs)
  return pairs.map(({ converted, ref }) => ({
    converted,
    slug: ref.slug,
    redirects: redirects.get(ref.post_id) ?? 0
  }))
}

/** @returns how many of each post are new; of two posts with the same former address the first has it */
async function redirectAll(
  tx: Tx,
  pairs: readonly { converted: ConvertedPost; ref: PostRef }[]
): Promise<ReadonlyMap<string, number>> {
  const byPath = new Map<string, string>()
  for (const { converted, ref } of pairs)
    for (const path of formerPathsOf(converted.source)) if (!byPath.has(path)) byPath.set(path, ref.post_id)
  const inserted = await insertRedirects(
    tx,
    [...byPath].map(([path, post_id]) => ({ path, post_id }))
  )
  const counts = new Map<string, number>()
  for (const post_id of inserted) counts.set(post_id, (counts.get(post_id) ?? 0) + 1)
  return counts
}

/** The paths that readers knew a post by. */
export const formerPathsOf = ({ addresses }: SourcePost): Set<string> =>
  new Set(addresses.flatMap(address => formerPath(address) ?? []))
