import { type Changes, createCache, type Db } from '#core'
import { type TextLanguage, textLanguages } from '#text'
import type { SearchDriver } from '../driver.ts'
import { hasPending, readEngineFeed } from '../repository/feed.ts'
import { indexTags } from '../snapshot/index-state.ts'

/** What a search has to know of what the engine was given. */
interface FeedState {
  /** That texts were sent in. */
  languages: readonly TextLanguage[]
  /** Changes wait to be sent, or there is no index yet. */
  isBehind: boolean
}

/** The present state, read again after each change. */
export function createFeedState({ db, changes }: { db: Db; changes: Changes }) {
  const cache = createCache<FeedState>({ changes, tags: indexTags })
  const read = async (target: string): Promise<FeedState> => {
    const row = await readEngineFeed(db)
    const isOurs = row !== undefined && row.target === target && row.index_name !== null
    if (!isOurs) return { languages: [], isBehind: true }
    return { languages: languagesOf(row.languages), isBehind: await hasPending(db) }
  }
  return ({ target }: SearchDriver): Promise<FeedState> => cache.load(target, () => read(target))
}

export const languagesOf = (codes: readonly number[]): TextLanguage[] =>
  codes.flatMap(code => textLanguages[code - 1] ?? [])
