import { batched } from '#concurrency'
import type { Db, Tx } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { readOneMoment, saveComputedWith, takeChanges } from './repository/changes.ts'
import { readProgress, type ShownProgress, saveComplete, saveNextPost } from './repository/progress.ts'
import {
  listDependentsBefore,
  listNumbersFrom,
  listShownParts,
  listTagsOf,
  readDependencies,
  recordShown,
  recordTagNames,
  recountLists
} from './repository/shown.ts'
import type { Surfaces } from './surfaces.ts'
import type { MustYield } from './yield-check.ts'

/** A part that the target is to have. Its fingerprint changes with whatever its files show. */
export interface WantedPart {
  part: number
  fingerprint: string
}

/** What the files of posts are to show, as of the start of a step. */
export interface ShownPosts {
  /** False where the work yielded: of some posts it has what was stored before. */
  isCurrent: boolean
  /** Those that have public posts. */
  parts: readonly WantedPart[]
  /** What the files of the posts of a part show of other posts, by number; those that show none are left out. */
  dependenciesOf(part: number): Promise<ReadonlyMap<number, string>>
}

interface ShownDeps {
  db: Db
  published: PublishedPosts
  surfaces: Surfaces
  /** Of the calendar that divides lists into months and years. */
  timeZone(): string
}

/** Brings the tables of shown posts up to date, and reads them. To be called with the lease. */
export async function readShownPosts(deps: ShownDeps, interruptions: Interruptions): Promise<ShownPosts> {
  const isCurrent = await followChanges(deps, interruptions)
  return { isCurrent, parts: await listShownParts(deps.db), dependenciesOf: part => readDependencies(deps.db, part) }
}

/** Between parts of long work. `throttle` is awaited, then the work may have to end early. */
export interface Interruptions {
  throttle: ReturnType<PostSearch['throttle']>
  mustYield: MustYield
}

/** Posts that one statement stores, and one transaction where all are computed again. */
const recordedAtOnce = 1000
const askEveryMs = 100

/**
 * Stores what the files of changed posts show, and of those that show one of them. Where all are to be computed again, that is done
 * in parts: where it must yield, a later call goes on. Until every post was stored once, it does not yield.
 * @returns whether it reached the end
 */
export async function followChanges(deps: ShownDeps, { throttle, mustYield }: Interruptions): Promise<boolean> {
  const { db, surfaces } = deps
  await saveComputedWith(db, JSON.stringify([deps.timeZone(), ...surfaces.withDependencies()]))
  for (;;) {
    const { is_complete, next_post_no } = await db.transaction(tx => followSome(deps, tx))
    if (next_post_no === null) return true
    if (is_complete && (await mustYield())) return false
    await throttle(() => mustYield(askEveryMs))
  }
}

/** All is read as of one moment, so that what is stored of these posts agrees with what was stored of the others. */
async function followSome(deps: ShownDeps, tx: Tx): Promise<ShownProgress> {
  await readOneMoment(tx)
  const progress = await readProgress(tx)
  const changes = new Set(await takeChanges(tx))
  const isAll = changes.has(null)
  if (isAll) await recountLists(tx, deps.timeZone())
  const changed = [...changes].filter(post_no => post_no !== null)
  // All come after it, and until then nothing reads what is stored.
  const isFirst = isAll && !progress.is_complete
  if (changed.length > 0 && !isFirst) await recordChanged(deps, tx, changed)
  const from = isAll ? 0 : progress.next_post_no
  return from === null ? progress : { ...progress, ...(await recordNext(deps, tx, from)) }
}

async function recordNext(deps: ShownDeps, tx: Tx, from: number): Promise<Partial<ShownProgress>> {
  const post_nos = await listNumbersFrom(tx, from, recordedAtOnce)
  await record(deps, tx, post_nos)
  const next_post_no = (post_nos.at(-1) ?? from) + 1
  if (post_nos.length === recordedAtOnce) {
    await saveNextPost(tx, next_post_no)
    return { next_post_no }
  }
  await recordTagNames(tx, await deps.published.tags(tx))
  await saveComplete(tx)
  return { is_complete: true, next_post_no: null }
}

async function recordChanged(deps: ShownDeps, tx: Tx, changed: readonly number[]): Promise<void> {
  const tags = await listTagsOf(tx, changed)
  const dependents = [await listDependentsBefore(tx, changed), await deps.surfaces.dependents(tx, changed)].flat()
  const touched = [...new Set([...changed, ...dependents])]
  for (const batch of batched(touched, { maxItems: recordedAtOnce })) await record(deps, tx, batch)
  await recordTagNames(tx, await namesOf(deps, tx, tags))
}

async function record({ surfaces, timeZone }: ShownDeps, tx: Tx, post_nos: readonly number[]): Promise<void> {
  const dependencies = await surfaces.dependencies(tx, post_nos)
  const posts = post_nos.map(post_no => {
    const { text = null, post_nos: dependency_nos = [] } = dependencies.get(post_no) ?? {}
    return { post_no, dependencies: text, dependency_nos }
  })
  await recordShown(tx, posts, timeZone())
}

/** So many tags are looked up one by one. For more, all are read with their counts. */
const maxTagLooks = 50

async function namesOf({ published }: ShownDeps, tx: Tx, slugs: readonly string[]) {
  if (slugs.length > maxTagLooks) return published.tags(tx)
  const tags: { slug: string; name: string }[] = []
  for (const slug of slugs) tags.push(...[(await published.tag(tx, slug)) ?? []].flat())
  return tags
}
