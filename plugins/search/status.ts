import type { Db, Settings } from '#core'
import type { TextLanguage } from '#text'
import { languagesIn } from './languages.ts'
import { readIndexState } from './repository/index-state.ts'
import { countIndexedThrough } from './repository/texts.ts'
import type { searchSettings } from './settings.ts'
import type { IndexFollower } from './snapshot/index-state.ts'

/** How the search index is. */
export interface IndexStatus {
  driver: 'builtin'
  /** Published posts. */
  posts: number
  /** Of them, those that stand in no segment yet. */
  waiting: number
  segments: number
  /** Of all posting lists. */
  bytes: number
  /** That posts are indexed in. */
  languages: TextLanguage[]
  /** While all posts are indexed again: how many are still to be. */
  rebuilding: number | null
  /** Segments with postings that cannot be read: their posts are indexed again. */
  damaged: number
  /** Published posts whose segments are gone: they are indexed again, too. */
  lost: number
}

interface StatusDeps {
  db: Db
  settings: Settings<typeof searchSettings>
  follower: IndexFollower
}

export async function readIndexStatus({ db, settings, follower }: StatusDeps): Promise<IndexStatus> {
  const { table, segments, lost } = await follower.state()
  const { language, rebuild_through } = await readIndexState(db)
  const isRebuilding = rebuild_through > 0 || (language !== null && language !== settings.get('search_language'))
  return {
    driver: 'builtin',
    posts: table.count,
    waiting: table.waitingCount,
    segments: segments.length,
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    languages: languagesIn(table),
    rebuilding: isRebuilding ? await countIndexedThrough(db, rebuild_through) : null,
    damaged: segments.filter(({ is_damaged }) => is_damaged).length,
    lost: lost.count
  }
}
