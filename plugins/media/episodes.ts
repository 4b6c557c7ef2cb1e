import { type Changes, createCache, type Db, type Installation, isUuid } from '#core'
import type { Page, PageQuery } from '#lists'
import type { PublishedPosts } from '#plugins/posts'
import type { CachedFiles, ServedFile } from './serving/cached-files.ts'
import type { MediaStore } from './storage/media-store.ts'

/** A public post that can be listened to or watched. */
export interface Episode {
  post_id: string
  slug: string
  title: string
  excerpt: string | null
  published_at: string | null
  podcast_url: string | null
  video_url: string | null
}

export interface Episodes {
  /** Newest post first. */
  list(query: PageQuery): Promise<Page<Episode>>
  /** A public post's file; null where it has none, and for any other post. */
  open(post_id: string, extension: EpisodeExtension): Promise<ServedFile | null>
}

export const episodeTypes = { mp3: 'audio/mpeg', mp4: 'video/mp4' } as const
export type EpisodeExtension = keyof typeof episodeTypes

const extension = /\.(mp3|mp4)$/
const isEpisodeName = (name: string) => extension.test(name) && isUuid(name.replace(extension, ''))

export interface EpisodeDeps {
  db: Db
  published: PublishedPosts
  store: MediaStore
  files: CachedFiles
  changes: Changes
  installation: Pick<Installation, 'baseUrl'>
}

/** Episodes are files of the store named by post id. Only those of public posts are served. */
export function createEpisodes({ db, published, store, files, changes, installation }: EpisodeDeps): Episodes {
  const isPublic = createPublicCheck({ db, published, changes })
  return {
    list: async query => {
      const names = await listNames(store)
      const post_ids = [...new Set([...names].map(name => name.slice(0, name.lastIndexOf('.'))))]
      const { items, ...page } = await published.list(db, post_ids, query)
      const urlOf = (post_id: string, extension: EpisodeExtension) => {
        const name = `${post_id}.${extension}`
        return names.has(name) ? `${installation.baseUrl()}/episodes/${name}` : null
      }
      const episodes = items.map(({ post_id, slug, title, excerpt, published_at }) => ({
        post_id,
        slug,
        title,
        excerpt,
        published_at,
        podcast_url: urlOf(post_id, 'mp3'),
        video_url: urlOf(post_id, 'mp4')
      }))
      return { items: episodes, ...page }
    },
    open: async (post_id, extension) =>
      isUuid(post_id) && (await isPublic(post_id)) ? await files.open(`episodes/${post_id}.${extension}`) : null
  }
}

const maxRemembered = 10_000

/** Asks the database once for a public post, and again after a change of any. A player asks for hundreds of ranges. */
function createPublicCheck({ db, published, changes }: Pick<EpisodeDeps, 'db' | 'published' | 'changes'>) {
  const known = createCache<true>({ changes, tags: published.cacheRule().tags, maxEntries: () => maxRemembered })
  return async (post_id: string): Promise<boolean> => {
    if (known.get(post_id)) return true
    const store = known.begin()
    const found = await published.isPublic(db, post_id)
    // The others become public when their slot is reached, which no change tells.
    if (found) store(post_id, true)
    return found
  }
}

async function listNames(store: MediaStore): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const key of store.list('episodes')) {
    const name = key.slice('episodes/'.length)
    if (isEpisodeName(name)) names.add(name)
  }
  return names
}
