import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Db, errorCode, type Installation, isUuid } from '#core'
import type { Page, PageQuery } from '#lists'
import type { PublishedPosts } from '#plugins/posts'

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
  /** The path of a public post's file, which may not exist; null for any other post. */
  pathOf(post_id: string, extension: EpisodeExtension): Promise<string | null>
}

export const episodeTypes = { mp3: 'audio/mpeg', mp4: 'video/mp4' } as const
export type EpisodeExtension = keyof typeof episodeTypes

const extension = /\.(mp3|mp4)$/
const isEpisodeName = (name: string) => extension.test(name) && isUuid(name.replace(extension, ''))

export interface EpisodeDeps {
  db: Db
  published: PublishedPosts
  installation: Installation
}

/** Episodes are files named by post id in `media/episodes` of the home. Only those of public posts are served. */
export function createEpisodes({ db, published, installation }: EpisodeDeps): Episodes {
  const folder = () => path.join(installation.home, 'media', 'episodes')
  return {
    list: async query => {
      const names = new Set(await listFileNames(folder()))
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
    pathOf: async (post_id, extension) =>
      isUuid(post_id) && (await published.isPublic(db, post_id)) ? path.join(folder(), `${post_id}.${extension}`) : null
  }
}

async function listFileNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter(entry => entry.isFile() && isEpisodeName(entry.name)).map(entry => entry.name)
  } catch (error) {
    // No episode was ever stored.
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
