import { setImmediate } from 'node:timers/promises'
import { type Changes, type Db, type Job, job, jobType, type Log, type Settings } from '#core'
import { postsTopic } from '#plugins/posts'
import {
  addAllWords,
  addWords,
  beginLanguage,
  endLanguages,
  listLanguages,
  listSearchedTexts,
  reindexSome
} from './repository/vocabulary.ts'
import type { searchSettings } from './settings.ts'
import { createPieces, type PiecesByLanguage } from './tokens.ts'
import { languagesTopic, vocabularyTopic } from './topics.ts'

/** Keeps up with the index what its triggers do not: the words that misspelt ones are compared with, and its language. */
export interface Vocabulary {
  /** Learns the words of the public posts among these. */
  learn(post_ids: readonly string[]): Promise<void>
  /** Brings the index into the language of the setting; searches go on meanwhile. Nothing to do: returns at once. */
  follow(signal: AbortSignal): Promise<void>
}

export interface VocabularyDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof searchSettings>
  log: Log
}

/** Posts re-indexed in one transaction: some 0.2 s of work. */
const postsAtOnce = 50
/** Texts read at once: one may be 2 MB. */
const textsAtOnce = 25

export function createVocabulary({ db, changes, settings, log }: VocabularyDeps): Vocabulary {
  const begin = (language: string) =>
    db.transaction(async tx => {
      await beginLanguage(tx, language)
      await changes.touch(tx, languagesTopic)
    })
  const reindex = (language: string) =>
    db.transaction(async tx => {
      const done = await reindexSome(tx, language, postsAtOnce)
      if (done > 0) await changes.touch(tx, postsTopic)
      return done
    })
  const end = () =>
    db.transaction(async tx => {
      await endLanguages(tx)
      await addAllWords(tx)
      await changes.touch(tx, languagesTopic)
      await changes.touch(tx, vocabularyTopic)
    })
  let pieces = createPieces()
  // A restored backup may hold fewer words. Whoever learns meanwhile remembers in the old ones.
  changes.on('search.words', () => {
    pieces = createPieces()
  })
  const add = (language: string, unknown: readonly string[]) =>
    db.transaction(async tx => {
      if ((await addWords(tx, language, unknown)) > 0) await changes.touch(tx, vocabularyTopic)
    })
  return {
    async learn(post_ids) {
      const known = pieces
      const unknown: PiecesByLanguage = new Map()
      for (let from = 0; from < post_ids.length; from += textsAtOnce) {
        for (const text of await listSearchedTexts(db, post_ids.slice(from, from + textsAtOnce))) {
          known.addUnknown(text, unknown)
          // A long text takes milliseconds: requests come between.
          await setImmediate()
        }
      }
      for (const [language, found] of unknown) {
        await add(language, [...found])
        known.remember(language, found)
      }
    },
    follow: async signal => {
      const wanted = settings.get('search_language')
      const languages = await listLanguages(db)
      if (languages.length === 1 && languages[0] === wanted) return
      if (languages[0] !== wanted) await begin(wanted)
      let posts = 0
      for (let done = 1; done > 0; posts += done) {
        // A newer wish, or a stop: the next run goes on from here.
        if (signal.aborted || settings.get('search_language') !== wanted) return
        done = await reindex(wanted)
      }
      await end()
      log.info({ language: wanted, posts }, 'the posts are indexed in another language')
    }
  }
}

const FollowLanguage = jobType<object>('search.language')

/** Looks every minute: a setting is changed without telling. */
export const languageJob = (vocabulary: Vocabulary): Job =>
  job(FollowLanguage, (_, { signal }) => vocabulary.follow(signal), { cron: '* * * * *', timeout: 3600 })
