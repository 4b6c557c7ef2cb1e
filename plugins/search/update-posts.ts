import { batched } from '#concurrency'
import { type Db, type Delivery, type Enqueue, job, jobType, on } from '#core'
import { PostEdited, type PostEvent, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { TextLanguage } from '#text'
import type { EngineIndex } from './engine/engine-index.ts'
import type { SearchEngines } from './engine/registry.ts'
import type { UpdateIndex } from './indexing/indexing.ts'
import { createSegmentBuilder } from './inverted-index/segment-builder.ts'
import type { PostText } from './inverted-index/text-fields.ts'
import { countWaiting, listTextsOf } from './repository/texts.ts'
import type { Similar } from './similar/similar.ts'
import type { Vocabulary } from './vocabulary/vocabulary.ts'

const IndexPosts = jobType<object>('search.index')

/** Looks every minute, as a changed setting starts nothing. */
export const indexJob = (update: UpdateIndex) =>
  job(IndexPosts, (_, { signal }) => update(signal), {
    cron: '* * * * *',
    timeoutSeconds: 21_600,
    maxDeaths: 10,
    isResumable: true
  })

interface PostUpdaterDeps {
  db: Db
  languageOf: (post: PostText) => TextLanguage
  vocabulary: Vocabulary
  similar: Similar
  enqueue: Enqueue
  engines: Pick<SearchEngines, 'isBuiltin'>
  engineIndex: Pick<EngineIndex, 'feed'>
}

/** From so many texts on that wait for a segment, they are indexed at once and not with the next minute. */
const minToIndexAtOnce = 64
/** Analyzed before others have their turn. */
const textsAtOnce = 16

/** Brings up to date what is stored beside the posts: words and titles, and the index when many posts came at once. */
export const createPostUpdater =
  ({ db, languageOf, vocabulary, similar, enqueue, engines, engineIndex }: PostUpdaterDeps) =>
  async (post_ids: readonly string[], signal: AbortSignal): Promise<void> => {
    const addWords = async () => {
      // The words of more posts come with their segment, at once.
      if (post_ids.length >= minToIndexAtOnce) return
      for (const some of batched(post_ids, { maxItems: textsAtOnce })) {
        signal.throwIfAborted()
        const builder = createSegmentBuilder()
        for (const text of await listTextsOf(db, some)) builder.add({ ...text, analyzed_as: languageOf(text) })
        await vocabulary.addWords(builder.takeWords())
      }
    }
    const indexMany = async () => {
      if ((await countWaiting(db)) >= minToIndexAtOnce)
        await db.transaction(tx => enqueue(tx, IndexPosts, {}, { key: 'many' }))
    }
    // What an engine is sent brings its words.
    const index = engines.isBuiltin() ? [addWords(), indexMany()] : [engineIndex.feed(signal)]
    const updates = [...index, similar.embedTitles(post_ids)]
    // A retry starts when all have ended.
    await Promise.allSettled(updates)
    await Promise.all(updates)
  }

/** Every change of what is public. */
export function searchSubscriptions(update: (post_ids: readonly string[], signal: AbortSignal) => Promise<void>) {
  const updateOne = ({ post_id }: PostEvent, { signal }: Delivery) => update([post_id], signal)
  return [
    on(
      PostPublished,
      (events, { signal }) =>
        update(
          events.map(({ payload }) => payload.post_id),
          signal
        ),
      { maxBatch: 250 }
    ),
    on(PostEdited, updateOne),
    on(PostWithdrawn, updateOne)
  ]
}
