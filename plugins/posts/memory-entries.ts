import { asText, type Changes, type Db, isUuid, on, type Subscription } from '#core'
import type { BackfillFollower, Memory, NewEntry } from '#plugins/memory'
import { withoutHidden } from '#text/hidden-markdown'
import { postEntriesCacheTag } from './cache-tags.ts'
import type { PostEvent } from './contract/post-ref.ts'
import { PostEdited, PostPublished, PostWithdrawn } from './index.ts'
import type { Links } from './reads/links.ts'
import { listPostTexts, listPublicEntries, type PostTextRow, readRevisions } from './repository/entries.ts'

export interface PostEntries {
  /** Makes memory's entries of posts what the posts are now: stored while they are public, else removed. */
  follow(post_ids: readonly string[]): Promise<void>
  /** For entries of posts that are public no more. */
  follower: BackfillFollower
  /** The entries of all public posts. */
  all(): AsyncIterable<NewEntry>
}

/** Has the entries follow the posts. */
export function entrySubscriptions({ follow }: PostEntries): Subscription[] {
  const followOne = ({ post_id }: PostEvent) => follow([post_id])
  return [
    on(PostPublished, events => follow(events.map(({ payload }) => payload.post_id)), { maxBatch: 250 }),
    on(PostEdited, followOne),
    on(PostWithdrawn, followOne)
  ]
}

const entriesOfPage = 100
/** The vectors of more wait, as they cost more than all else that follows a publication of thousands. */
const maxImmediate = 20
const vectorDelayMs = 15_000

interface EntryDeps {
  db: Db
  memory: Memory
  changes: Changes
  links: Links
  now: () => Date
}

export function createPostEntries({ db, memory, changes, links, now }: EntryDeps): PostEntries {
  const store = async (posts: readonly PostTextRow[]) => {
    const [first, ...others] = posts.map(post => entryOf(post, links))
    // One alone is found by meaning as soon as its event was handled; the vectors of many are a job of their own.
    if (first === undefined) return
    const later = posts.length > maxImmediate ? { startAt: new Date(now().getTime() + vectorDelayMs) } : {}
    await (others.length === 0 ? memory.store(first) : memory.storeMany([first, ...others], later))
  }
  const remove = (post_ids: readonly string[]) =>
    db.transaction(async tx => {
      for (const id of post_ids) await memory.remove(tx, 'posts', id)
    })
  /** @returns the posts that changed while they were stored. */
  const storeOnce = async (post_ids: readonly string[]) => {
    const posts = await listPostTexts(db, post_ids)
    const stored = new Map(posts.map(post => [post.post_id, post.revision]))
    const gone = post_ids.filter(id => !stored.has(id))
    await store(posts)
    if (gone.length > 0) await remove(gone)
    const present = await readRevisions(db, post_ids)
    return post_ids.filter(id => present.get(id) !== stored.get(id))
  }
  const follow = async (post_ids: readonly string[]) => {
    // Events arrive in any order. What counts is the row: it is stored again if it changed meanwhile.
    for (let left = [...new Set(post_ids)]; left.length > 0; ) left = await storeOnce(left)
    await db.transaction(tx => changes.touch(tx, postEntriesCacheTag))
  }
  const changedOf = async (posts: readonly PostTextRow[]) => {
    const post_ids = posts.map(({ post_id }) => post_id)
    const present = await readRevisions(db, post_ids)
    return posts.flatMap(({ post_id, revision }) => (present.get(post_id) === revision ? [] : [post_id]))
  }
  const removeGone = async (source_ids: readonly string[]) => {
    const post_ids = source_ids.filter(isUuid)
    const present = await readRevisions(db, post_ids)
    const gone = post_ids.filter(id => !present.has(id))
    if (gone.length > 0) await follow(gone)
  }
  return {
    follow,
    follower: { writer: 'posts', follow: removeGone },
    all: async function* () {
      for (let after: string | null = null; ; ) {
        const posts: PostTextRow[] = await listPublicEntries(db, after, entriesOfPage)
        for (const post of posts) yield entryOf(post, links)
        // What was read of those that changed meanwhile is older than what their events stored.
        const changed = await changedOf(posts)
        if (changed.length > 0) await follow(changed)
        after = posts.at(-1)?.post_id ?? null
        if (after === null) return
      }
    }
  }
}

function entryOf({ post_id, slug, title, content, tags }: PostTextRow, links: Links): NewEntry {
  // A post that was stored by another release, or restored, may have what no text of memory has.
  const texts = {
    title: asText(title),
    text: asText(`# ${title}\n\n${withoutHidden(content)}`),
    tags: tags.map(asText)
  }
  return { source_table: 'posts', source_id: post_id, writer: 'posts', url: links.storedPost(slug), ...texts }
}
