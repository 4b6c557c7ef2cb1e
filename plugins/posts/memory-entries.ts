import type { Changes, Db } from '#core'
import type { Memory, NewEntry } from '#plugins/memory'
import type { Links } from './links.ts'
import { type EntryRow, findPublicEntry, listPublicEntries } from './repository/reads.ts'
import { searchTopic } from './search.ts'

export interface MemoryEntries {
  /** Makes memory's entry of a post what the post is now: stored while it is public, else removed. */
  follow(post_id: string): Promise<void>
  /** The entries of all public posts. */
  all(): AsyncIterable<NewEntry>
}

const entriesAtOnce = 100

export interface EntryDeps {
  db: Db
  memory: Memory
  changes: Changes
  links: Links
}

export function createMemoryEntries({ db, memory, changes, links }: EntryDeps): MemoryEntries {
  const remove = (post_id: string) =>
    db.transaction(async tx => {
      await memory.remove(tx, 'posts', post_id)
      await changes.touch(tx, searchTopic)
    })
  return {
    follow: async post_id => {
      let post = await findPublicEntry(db, post_id)
      // Events arrive in any order: what counts is the row, read again until storing it took no longer than it stayed the same.
      while (post !== undefined) {
        const { revision } = post
        await memory.store(entryOf(post, links))
        post = await findPublicEntry(db, post_id)
        if (post?.revision === revision) return db.transaction(tx => changes.touch(tx, searchTopic))
      }
      await remove(post_id)
    },
    all: async function* () {
      for (let after: string | null = null; ; ) {
        const posts: EntryRow[] = await listPublicEntries(db, after, entriesAtOnce)
        for (const post of posts) yield entryOf(post, links)
        after = posts.at(-1)?.post_id ?? null
        if (after === null) return
      }
    }
  }
}

function entryOf({ post_id, slug, title, content, tags }: EntryRow, links: Links): NewEntry {
  const text = `# ${title}\n\n${content}`
  return { source_table: 'posts', source_id: post_id, writer: 'posts', title, url: links.post(slug), text, tags }
}
