import { type Db, messageOf, UnavailableError } from '#core'
import type { TextLanguage } from '#text'
import type { EngineStatus, SearchDriver } from '../driver.ts'
import { countPending, countPublished, countRefused, listRefused, readEngineFeed } from '../repository/feed.ts'
import { languagesOf } from './feed-state.ts'

/** How it stands with the engine that is searched. */
export interface EngineIndexStatus {
  driver: string
  /** Name and version of what answers; null when nothing does. */
  engine: string | null
  /** Name of the index that is searched there. */
  index: string | null
  /** Published posts. */
  posts: number
  /** Documents of the index. */
  documents: number | null
  bytes: number | null
  /** Changes that were not sent yet; all posts before there is an index. */
  waiting: number
  languages: TextLanguage[]
  /** While a new index is filled: how many posts are still to be sent. */
  rebuilding: number | null
  /** Posts that the engine refuses; the first with the reasons. */
  refused: number
  reasons: string[]
  /** Why nothing can be sent, or found. */
  fault: string | null
}

const maxReasons = 3
const maxAnswerSeconds = 5

export async function readEngineStatus(
  db: Db,
  name: string,
  driver: SearchDriver | string
): Promise<EngineIndexStatus> {
  const asked = typeof driver === 'string' ? { fault: driver } : await ask(driver)
  const feed = await readEngineFeed(db)
  const isOurs = typeof driver !== 'string' && feed?.target === driver.target && feed.index_name !== null
  const posts = await countPublished(db)
  const reasons = isOurs ? await listRefused(db, maxReasons) : []
  const hasOther = isOurs && asked.status !== undefined && asked.status.index !== feed.index_name
  const built = typeof driver === 'string' || feed?.target !== driver.target ? null : feed.built_posts
  return {
    driver: name,
    engine: asked.status?.engine ?? null,
    index: asked.status?.index ?? null,
    posts,
    documents: asked.status?.documents ?? null,
    bytes: asked.status?.bytes ?? null,
    waiting: isOurs && !hasOther ? await countPending(db) : posts,
    languages: isOurs ? languagesOf(feed.languages) : [],
    rebuilding: built === null ? null : Math.max(0, posts - built),
    refused: isOurs ? await countRefused(db) : 0,
    reasons: reasons.map(({ post_no, fault }) => `${post_no}: ${fault}`),
    fault: asked.fault ?? asked.status?.readOnly ?? (isOurs ? feed.fault : null)
  }
}

async function ask(driver: SearchDriver): Promise<{ status?: EngineStatus; fault?: string }> {
  const signal = AbortSignal.timeout(maxAnswerSeconds * 1000)
  try {
    return { status: await driver.status(signal) }
  } catch (error) {
    if (signal.aborted)
      return { fault: `The engine did not answer within ${maxAnswerSeconds} s: check search_url, and how busy it is.` }
    if (!(error instanceof UnavailableError)) throw error
    return { fault: messageOf(error) }
  }
}
