import type { Db, Tx } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { noteShownWith, readOneMoment, takeChanges } from './repository/changes.ts'
import {
  forgetShown,
  listPublicNumbers,
  listShowedBefore,
  listShownParts,
  listTagsOf,
  noteShown,
  noteTagNames,
  readBeside
} from './repository/shown.ts'
import type { Surfaces } from './surfaces.ts'

/** A part that the target is to have. Its fingerprint changes with whatever its files show. */
export interface WantedPart {
  part: number
  fingerprint: string
}

/** What the files of posts are to show, as of the start of a step. */
export interface ShownPosts {
  /** Those that have public posts. */
  parts: readonly WantedPart[]
  /** What the files of the posts of a part show of other posts, by number; those that show none are left out. */
  besideOf(part: number): Promise<ReadonlyMap<number, string>>
}

interface ShownDeps {
  db: Db
  published: PublishedPosts
  surfaces: Surfaces
  /** Of the calendar that divides lists into months and years. */
  timeZone(): string
}

/** Brings the tables of shown posts up to date, and reads them. To be called with the lease. */
export async function readShownPosts(deps: ShownDeps): Promise<ShownPosts> {
  await followChanges(deps)
  return { parts: await listShownParts(deps.db), besideOf: part => readBeside(deps.db, part) }
}

/** Posts that one statement stores. */
const notedAtOnce = 1000

/**
 * Stores what the files of changed posts show, and of those that show one of them. All is read as of one moment, so that what is
 * stored of these posts agrees with what was stored of the others.
 */
export async function followChanges(deps: ShownDeps): Promise<void> {
  const { db, surfaces } = deps
  await noteShownWith(db, JSON.stringify([deps.timeZone(), ...surfaces.showingOthers()]))
  await db.transaction(async tx => {
    await readOneMoment(tx)
    const changed = new Set(await takeChanges(tx))
    if (changed.has(null)) await noteAll(deps, tx)
    else if (changed.size > 0)
      await noteChanged(
        deps,
        tx,
        [...changed].filter(post_no => post_no !== null)
      )
  })
}

async function noteAll(deps: ShownDeps, tx: Tx): Promise<void> {
  await forgetShown(tx)
  for (let after = 0; ; ) {
    const post_nos = await listPublicNumbers(tx, after, notedAtOnce)
    if (post_nos.length === 0) break
    await note(deps, tx, post_nos)
    after = post_nos.at(-1) ?? after
  }
  await noteTagNames(tx, await deps.published.tags(tx))
}

async function noteChanged(deps: ShownDeps, tx: Tx, changed: readonly number[]): Promise<void> {
  const tags = await listTagsOf(tx, changed)
  const showing = [await listShowedBefore(tx, changed), await deps.surfaces.showing(tx, changed)].flat()
  const touched = [...new Set([...changed, ...showing])]
  for (let at = 0; at < touched.length; at += notedAtOnce) await note(deps, tx, touched.slice(at, at + notedAtOnce))
  await noteTagNames(tx, await namesOf(deps, tx, tags))
}

async function note({ surfaces, timeZone }: ShownDeps, tx: Tx, post_nos: readonly number[]): Promise<void> {
  const beside = await surfaces.beside(tx, post_nos)
  const posts = post_nos.map(post_no => {
    const { text = null, post_nos: beside_nos = [] } = beside.get(post_no) ?? {}
    return { post_no, beside: text, beside_nos }
  })
  await noteShown(tx, posts, timeZone())
}

/** So many tags are looked up one by one. For more, all are read with their counts. */
const maxTagLooks = 50

async function namesOf({ published }: ShownDeps, tx: Tx, slugs: readonly string[]) {
  if (slugs.length > maxTagLooks) return published.tags(tx)
  const tags: { slug: string; name: string }[] = []
  for (const slug of slugs) tags.push(...[(await published.tag(tx, slug)) ?? []].flat())
  return tags
}
