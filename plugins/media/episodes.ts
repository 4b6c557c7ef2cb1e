import { type Changes, createCache, type Db, isUuid } from '#core'
import type { ListIdentity, Page, PageQuery } from '#lists'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import { mediaCacheTag } from './cache-tag.ts'
import { findFile } from './repository/files.ts'
import type { CachedFiles, ReadyFile, ServedFile } from './serving/cached-files.ts'

/** A public post that can be listened to or watched. */
export interface Episode {
  post_id: string
  slug: string
  title: string
  excerpt: string | null
  published_at: string | null
  podcast_url: string | null
  /** The film; where there is none, the one for phones. */
  video_url: string | null
}

export interface Episodes {
  /** Newest post first. */
  list(query: PageQuery): Promise<Page<Episode>>
  /** A public post's file; null where it has none, and for any other post. */
  open(post_id: string, extension: EpisodeExtension): Promise<Named<ServedFile> | null>
  /** The same without any I/O; undefined where that takes some. */
  ready(post_id: string, extension: EpisodeExtension): Named<ReadyFile> | undefined
}

/** A file, and the name under which a reader saves it. */
export interface Named<File> {
  served: File
  filename: string
}

/** By the ending of the address. */
export const episodeTypes = {
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  'short.mp4': 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  json: 'application/json',
  'chapters.json': 'application/json+chapters'
} as const
export type EpisodeExtension = keyof typeof episodeTypes

export interface EpisodeDeps {
  db: Db
  published: PublishedPosts
  files: CachedFiles
  changes: Changes
}

/** Episodes are made here, or files of the store named by post id. Only those of public posts are served. */
export function createEpisodes({ db, published, files, changes }: EpisodeDeps): Episodes {
  const keys = createKeyLookup({ db, published, changes })
  return {
    list: async query => {
      const { items, ...page } = await published.listWithMedia(db, kinds, { ...query, identity })
      return { items: items.map(episodeOf), ...page }
    },
    open: async (post_id, extension) => {
      const known = isUuid(post_id) ? await keys.find(post_id, extension) : null
      const served = known && (await files.open(known.key))
      return known && served && { served, filename: known.filename }
    },
    ready: (post_id, extension) => {
      const known = keys.known(post_id, extension)
      const served = known && files.ready(known.key)
      return known && served && { served, filename: known.filename }
    }
  }
}

const identity: ListIdentity = ['episodes']
const kinds = ['podcast', 'video', 'video_short']

const episodeOf = ({ post_id, slug, title, excerpt, published_at, media }: PostSummary): Episode => ({
  post_id,
  slug,
  title,
  excerpt,
  published_at,
  podcast_url: media.podcast_url,
  video_url: media.video_url
})

const maxRemembered = 10_000

interface KnownFile {
  /** Its name in the store. */
  key: string
  filename: string
}

type KnownFiles = Partial<Record<EpisodeExtension, KnownFile>>

/** Asks the database once for a public post's file, and again after a change of any. A player asks for hundreds of ranges. */
function createKeyLookup({ db, published, changes }: Pick<EpisodeDeps, 'db' | 'published' | 'changes'>) {
  const { tags } = published.cacheRule(mediaCacheTag)
  const ofPosts = createCache<KnownFiles>({ changes, tags, maxEntries: () => maxRemembered })
  const known = (post_id: string, extension: EpisodeExtension) => ofPosts.get(post_id)?.[extension]
  return {
    known,
    async find(post_id: string, extension: EpisodeExtension): Promise<KnownFile | null> {
      const cached = known(post_id, extension)
      if (cached !== undefined) return cached
      const store = ofPosts.begin()
      // The others become public when their slot is reached, which no change tells.
      const slug = await published.findSlug(db, post_id)
      if (slug === undefined) return null
      const made = await findFile(db, post_id, extension)
      const filename = `${slug}.${extension}`
      const found = { key: made?.key ?? `episodes/${post_id}.${extension}`, filename }
      store(post_id, { ...ofPosts.get(post_id), [extension]: found })
      return found
    }
  }
}
