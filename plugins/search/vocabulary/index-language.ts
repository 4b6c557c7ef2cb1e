import { type Changes, type Db, type Job, job, jobType, type Log, type Settings } from '#core'
import { type Posts, postsCacheTag } from '#plugins/posts'
import { languagesCacheTag, vocabularyCacheTag } from '../cache-tags.ts'
import { beginLanguage, endLanguages, listLanguages } from '../repository/languages.ts'
import { addAllWords } from '../repository/vocabulary.ts'
import type { searchSettings } from '../settings.ts'

/** Brings the index into the language of the setting; searches go on meanwhile. Nothing to do: returns at once. */
export type Reindex = (signal: AbortSignal) => Promise<void>

export interface ReindexDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof searchSettings>
  posts: Pick<Posts, 'indexInLanguage'>
  log: Log
}

/** Posts of one transaction: some 0.2 s of work. */
const postsPerTransaction = 50

export function createReindex({ db, changes, settings, posts, log }: ReindexDeps): Reindex {
  const begin = (language: string) =>
    db.transaction(async tx => {
      await beginLanguage(tx, language)
      await changes.touch(tx, languagesCacheTag)
    })
  const reindex = (language: string) =>
    db.transaction(async tx => {
      const done = await posts.indexInLanguage(tx, language, postsPerTransaction)
      if (done > 0) await changes.touch(tx, postsCacheTag)
      return done
    })
  const end = () =>
    db.transaction(async tx => {
      await endLanguages(tx)
      await addAllWords(tx)
      await changes.touch(tx, languagesCacheTag)
      await changes.touch(tx, vocabularyCacheTag)
    })
  return async signal => {
    const wanted = settings.get('search_language')
    const languages = await listLanguages(db)
    if (languages.length === 1 && languages[0] === wanted) return
    if (languages[0] !== wanted) await begin(wanted)
    let indexed = 0
    for (let done = 1; done > 0; indexed += done) {
      // The setting changed again, or a stop: the next run goes on from here.
      if (signal.aborted || settings.get('search_language') !== wanted) return
      done = await reindex(wanted)
    }
    await end()
    log.info({ language: wanted, posts: indexed }, 'the posts are indexed in another language')
  }
}

const IndexLanguage = jobType<object>('search.language')

/** Looks every minute, as a changed setting starts nothing. */
export const indexLanguageJob = (reindex: Reindex): Job =>
  job(IndexLanguage, (_, { signal }) => reindex(signal), { cron: '* * * * *', timeoutSeconds: 3600 })
