import { indexCacheTag, languagesCacheTag } from '../cache-tags.ts'
import type { EngineEntry, SearchDriver } from '../driver.ts'
import { listRevisions, type RevisionRow, requestChanges } from '../repository/feed-verification.ts'
import { type EngineFeedDeps, feedChanges } from './feed.ts'
import { type RebuildDeps, rebuildIndex } from './rebuild.ts'

type EntryFault = 'missing' | 'differing' | 'extra'

/** A document that is wrong, with the revision that the engine has. */
interface WrongEntry extends EngineEntry {
  fault: EntryFault
  /** The engine has a later revision, or a post that was never here: it would refuse what it is sent. */
  isUnknown: boolean
}

/** What is wrong with the engine's index. */
export interface EngineVerification {
  /** Documents that were compared. */
  documents: number
  /** Public posts that it lacks, posts it has in another revision, and those it has that are not published. */
  missing: number
  differing: number
  extra: number
  /** The first of them, by `post_no`. */
  posts: { post_no: number; fault: EntryFault }[]
  isRepaired: boolean
}

export interface EngineVerifyOptions {
  signal: AbortSignal
  /** Sends what is wrong again, or everything where the engine would refuse that. */
  isFixing: boolean
  onProgress(documents: number): void
}

const perPage = 1000
/** Named in the result. */
const maxNamed = 100
/** Sent again by their numbers, in one transaction. Where more are wrong, everything is sent anew. */
const maxSentAgain = 10_000
const highest = 2_147_483_647

/** Compares the ids and revisions of the engine's documents with the database. What changed just now is sent before. */
export async function verifyEngine(
  driver: SearchDriver,
  deps: RebuildDeps,
  { signal, isFixing, onProgress }: EngineVerifyOptions
): Promise<EngineVerification> {
  await feedChanges(driver, deps, signal)
  const found: EngineVerification = { documents: 0, missing: 0, differing: 0, extra: 0, posts: [], isRepaired: false }
  const wrong: number[] = []
  let mustRebuild = false
  for (let after = 0; after < highest; ) {
    signal.throwIfAborted()
    const page = inOrder(await driver.list(after, perPage, signal), after)
    const last = page.length < perPage ? highest : (page.at(-1)?.post_no ?? highest)
    for (const each of await comparePage(deps, page, { after, last })) {
      found[each.fault] += 1
      if (found.posts.length < maxNamed) found.posts.push({ post_no: each.post_no, fault: each.fault })
      mustRebuild ||= each.isUnknown || wrong.length === maxSentAgain
      if (!mustRebuild) wrong.push(each.post_no)
    }
    found.documents += page.length
    onProgress(found.documents)
    after = last
  }
  if (!isFixing || found.missing + found.differing + found.extra === 0) return found
  if (mustRebuild) await rebuildIndex(driver, deps, signal)
  else await sendAgain(deps, wrong)
  await feedChanges(driver, deps, signal)
  return { ...found, isRepaired: true }
}

const sendAgain = ({ db, changes }: RebuildDeps, post_nos: readonly number[]): Promise<void> =>
  db.transaction(async tx => {
    await requestChanges(tx, post_nos)
    await changes.touch(tx, indexCacheTag)
    // Cached answers lack what is sent again.
    await changes.touch(tx, languagesCacheTag)
  })

/** An engine may say anything: each number once, after those of the page before. */
function inOrder(page: readonly EngineEntry[], after: number): EngineEntry[] {
  const entries = new Map(page.map(entry => [entry.post_no, entry]))
  return [...entries.values()]
    .filter(({ post_no }) => post_no > after && post_no <= highest)
    .sort((a, b) => a.post_no - b.post_no)
}

async function comparePage(
  { db }: EngineFeedDeps,
  page: readonly EngineEntry[],
  range: { after: number; last: number }
): Promise<WrongEntry[]> {
  const inEngine = new Map(page.map(({ post_no, revision }) => [post_no, revision]))
  const rows = await listRevisions(db, range)
  const known = new Set(rows.map(({ post_no }) => post_no))
  const unknown = page.filter(({ post_no }) => !known.has(post_no))
  const wrong = rows.flatMap((row): WrongEntry[] => {
    const revision = inEngine.get(row.post_no)
    const fault = row.is_pending ? undefined : faultOf(row, revision)
    if (fault === undefined) return []
    const isUnknown = revision !== undefined && revision > row.revision
    return [{ post_no: row.post_no, revision: revision ?? row.revision, fault, isUnknown }]
  })
  return [...unknown.map((entry): WrongEntry => ({ ...entry, fault: 'extra', isUnknown: true })), ...wrong].sort(
    (a, b) => a.post_no - b.post_no
  )
}

function faultOf({ is_published, revision }: RevisionRow, inEngine: number | undefined): EntryFault | undefined {
  if (inEngine === undefined) return is_published ? 'missing' : undefined
  if (!is_published) return 'extra'
  return inEngine === revision ? undefined : 'differing'
}
