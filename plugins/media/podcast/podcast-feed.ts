import type { Db, Installation, Settings } from '#core'
import type { ListIdentity } from '#lists'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import type { Images } from '../images/images.ts'
import type { PictureSizes } from '../images/picture-sizes.ts'
import { listCovers } from '../repository/covers.ts'
import { listFilesOfPosts, type MediaFileRow } from '../repository/files.ts'
import { findPodcastArt } from '../repository/podcast-art.ts'
import { artFault } from './art-rules.ts'
import { type Podcast, type PodcastEpisode, podcastXml } from './podcast-xml.ts'
import type { podcastSettings } from './settings.ts'

export interface PodcastDeps {
  db: Db
  published: PublishedPosts
  images: Pick<Images, 'urlOf'>
  sizes: Pick<PictureSizes, 'sizeOf'>
  installation: Pick<Installation, 'baseUrl' | 'localUrl'>
  settings: Settings<typeof podcastSettings>
}

/** The picture is not among them: without one of the operator's it is drawn. */
const requiredSettings = ['podcast_category', 'podcast_owner_email'] as const

/** How many posts are read at once. */
const pageSize = 100
const identity: ListIdentity = ['podcast']
const kinds = ['podcast']

/** The podcast: the newest public posts that have audio. */
export interface PodcastFeed {
  /** What settings say; `imageUrl` is empty where the operator has chosen no picture. */
  describe(): Podcast
  hasEpisodes(): Promise<boolean>
  /** The settings that directories insist on, and that nobody has set. */
  listMissing(): readonly string[]
  /** Why directories refuse the picture of the podcast, as far as can be seen from here; null where they may take it. */
  imageFault(): Promise<string | null>
  /** The feed. */
  xml(): Promise<string>
}

export function createPodcastFeed(deps: PodcastDeps): PodcastFeed {
  const { db, published } = deps
  return {
    describe: () => describe(deps),
    hasEpisodes: async () => (await published.listWithMedia(db, kinds, { limit: 1, identity })).total > 0,
    listMissing: () => listMissing(deps),
    imageFault: async () => {
      const imageUrl = await imageUrlOf(deps)
      return imageUrl === null ? 'none was drawn yet' : artFault(imageUrl, deps.sizes)
    },
    xml: async () => {
      const imageUrl = (await imageUrlOf(deps)) ?? ''
      return podcastXml({ ...describe(deps), imageUrl }, await listEpisodes(deps))
    }
  }
}

function listMissing(deps: PodcastDeps): string[] {
  const { settings, installation } = deps
  return [
    // An address of this machine is none that a directory could read.
    ...(installation.baseUrl() === installation.localUrl() ? ['public_url'] : []),
    ...(describe(deps).description === '' ? ['podcast_description'] : []),
    ...requiredSettings.filter(key => settings.get(key) === '')
  ]
}

async function imageUrlOf({ db, published, settings, images }: PodcastDeps): Promise<string | null> {
  const chosen = published.withPictures(settings.get('podcast_image_url'))
  if (chosen !== '') return chosen
  const art = await findPodcastArt(db)
  return art === undefined ? null : images.urlOf(art.filename)
}

function describe({ published, installation, settings }: PodcastDeps): Podcast {
  const site = published.site()
  const title = settings.get('podcast_title') || site.title
  const author = settings.get('podcast_author') || title
  return {
    title,
    description: settings.get('podcast_description') || site.description.trim(),
    link: site.home,
    feedUrl: `${installation.baseUrl()}/podcast.xml`,
    language: settings.get('podcast_language') || site.language,
    author,
    host: settings.get('podcast_host'),
    owner: { name: settings.get('podcast_owner_name') || author, email: settings.get('podcast_owner_email') },
    category: settings.get('podcast_category'),
    isExplicit: settings.get('podcast_explicit'),
    imageUrl: published.withPictures(settings.get('podcast_image_url')),
    copyright: settings.get('podcast_copyright'),
    license: settings.get('podcast_license'),
    isLocked: settings.get('podcast_locked'),
    valueAddress: settings.get('podcast_value_address'),
    guid: settings.get('podcast_guid'),
    funding: { url: settings.get('podcast_funding_url'), text: settings.get('podcast_funding_text') },
    txt: settings.get('podcast_txt')
  }
}

/** The types that apps know, by the ending of the file's name. */
const transcriptTypes = { vtt: 'text/vtt', srt: 'application/x-subrip', json: 'application/json' }

type EpisodeFiles = ReadonlyMap<string, Pick<MediaFileRow, 'bytes' | 'duration_ms'>>

/** As many as the setting says, read in pages: a page of posts is in memory at a time. */
async function listEpisodes(deps: PodcastDeps): Promise<PodcastEpisode[]> {
  const { db, published, settings } = deps
  const episodes: PodcastEpisode[] = []
  let left = settings.get('podcast_items')
  for (let cursor: string | null | undefined; left > 0 && cursor !== null; ) {
    const limit = Math.min(left, pageSize)
    const page = await published.listWithMedia(db, kinds, {
      limit,
      identity,
      ...(cursor === undefined ? {} : { cursor })
    })
    episodes.push(...(await episodesOf(deps, page.items)))
    left -= limit
    cursor = page.next_cursor
  }
  return episodes
}

async function episodesOf(deps: PodcastDeps, posts: readonly PostSummary[]): Promise<PodcastEpisode[]> {
  const post_ids = posts.map(({ post_id }) => post_id)
  const rows = await listFilesOfPosts(deps.db, post_ids)
  const covers = new Set((await listCovers(deps.db, post_ids)).map(({ filename }) => filename))
  const files = Map.groupBy(rows, ({ post_id }) => post_id)
  const episodes = posts.map(async post => {
    const ofPost = new Map((files.get(post.post_id) ?? []).map(file => [file.extension, file]))
    const imageUrl = await artOf(deps, post, covers)
    return episodeOf(deps, { ...post, imageUrl }, ofPost) ?? []
  })
  return (await Promise.all(episodes)).flat()
}

/** The picture of a post where directories may take it. The covers that are made here are not square. */
async function artOf(
  { sizes }: PodcastDeps,
  { featured_image_url: url }: Pick<PostSummary, 'featured_image_url'>,
  covers: ReadonlySet<string>
): Promise<string | null> {
  if (url === null || covers.has(url.slice(url.lastIndexOf('/') + 1))) return null
  return (await artFault(url, sizes)) === null ? url : null
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))

/** Null for a post whose audio is gone since its page was read. */
function episodeOf(
  { published, installation }: PodcastDeps,
  post: PostSummary & { imageUrl: string | null },
  files: EpisodeFiles
): PodcastEpisode | null {
  const { post_id, slug, title, excerpt, author, language, published_at, imageUrl } = post
  const audio = files.get('mp3')
  if (audio === undefined) return null
  const address = `${installation.baseUrl()}/episodes/${post_id}`
  return {
    post_id,
    title,
    description: excerpt?.trim() || title,
    link: published.addressOf(slug),
    author,
    publishedAt: new Date(published_at ?? 0),
    audio: { url: `${address}.mp3`, bytes: audio.bytes, type: 'audio/mpeg', seconds: secondsOf(audio.duration_ms) },
    imageUrl,
    transcripts: Object.entries(transcriptTypes)
      .filter(([extension]) => files.has(extension))
      .map(([extension, type]) => ({ url: `${address}.${extension}`, type, language })),
    chaptersUrl: files.has('chapters.json') ? `${address}.chapters.json` : null
  }
}
