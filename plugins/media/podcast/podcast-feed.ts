import { type Db, type Installation, isUuid, type Settings } from '#core'
import type { ListIdentity } from '#lists'
import type { PostSummary, PublishedPosts } from '#plugins/posts'
import { type EpisodeFile, listEpisodeFiles } from '../episode-files.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { type Podcast, type PodcastEpisode, podcastXml } from './podcast-xml.ts'
import type { podcastSettings } from './settings.ts'

export interface PodcastDeps {
  db: Db
  published: PublishedPosts
  store: MediaStore
  installation: Pick<Installation, 'baseUrl'>
  settings: Settings<typeof podcastSettings>
}

const requiredSettings = ['podcast_image_url', 'podcast_category', 'podcast_owner_email'] as const

/** How many posts are read at once. */
const pageSize = 100
const identity: ListIdentity = ['podcast']

/** The podcast: the newest public posts that have audio. */
export interface PodcastFeed {
  describe(): Podcast
  hasEpisodes(): Promise<boolean>
  /** The settings that directories insist on, and that nobody has set. */
  listMissing(): readonly string[]
  /** The feed. */
  xml(): Promise<string>
}

export function createPodcastFeed(deps: PodcastDeps): PodcastFeed {
  const { db, published, store, settings } = deps
  const audioIds = async () => idsOf((await listEpisodeFiles(db, store)).names)
  return {
    describe: () => describe(deps),
    hasEpisodes: async () => (await published.list(db, await audioIds(), { limit: 1, identity })).items.length > 0,
    listMissing: () => requiredSettings.filter(key => settings.get(key) === ''),
    xml: async () => podcastXml(describe(deps), await listEpisodes(deps))
  }
}

function describe({ published, installation, settings }: PodcastDeps): Podcast {
  const site = published.site()
  const title = settings.get('podcast_title') || site.title
  const author = settings.get('podcast_author') || title
  return {
    title,
    description: settings.get('podcast_description') || site.description,
    link: site.home,
    feedUrl: `${installation.baseUrl()}/podcast.xml`,
    language: settings.get('podcast_language') || site.language,
    author,
    owner: { name: settings.get('podcast_owner_name') || author, email: settings.get('podcast_owner_email') },
    category: settings.get('podcast_category'),
    isExplicit: settings.get('podcast_explicit'),
    imageUrl: settings.get('podcast_image_url'),
    copyright: settings.get('podcast_copyright'),
    license: settings.get('podcast_license'),
    isLocked: settings.get('podcast_locked'),
    valueAddress: settings.get('podcast_value_address')
  }
}

/** The types that apps know, by the ending of the file's name. */
const transcriptTypes = { vtt: 'text/vtt', srt: 'application/x-subrip', json: 'application/json' }

async function listEpisodes(deps: PodcastDeps): Promise<PodcastEpisode[]> {
  const { names, made } = await listEpisodeFiles(deps.db, deps.store)
  const episodes: PodcastEpisode[] = []
  for await (const post of newestOf(deps, idsOf(names))) {
    const name = `${post.post_id}.mp3`
    const audio = made.get(name) ?? (await statOf(deps.store, name))
    // Removed since the folder was read.
    if (audio !== null) episodes.push(episodeOf(deps, post, audio, names))
  }
  return episodes
}

async function statOf(store: MediaStore, name: string): Promise<EpisodeFile | null> {
  const file = await store.stat(`episodes/${name}`)
  return file === null ? null : { bytes: file.bytes, durationMs: null }
}

const idsOf = (names: ReadonlySet<string>): string[] =>
  [...names]
    .filter(name => name.endsWith('.mp3'))
    .map(name => name.slice(0, -'.mp3'.length))
    .filter(isUuid)

async function* newestOf({ db, published, settings }: PodcastDeps, post_ids: string[]): AsyncGenerator<PostSummary> {
  let left = settings.get('podcast_items')
  for (let cursor: string | undefined; left > 0; ) {
    const page = await published.list(db, post_ids, { limit: Math.min(left, pageSize), cursor, identity })
    yield* page.items
    left -= page.items.length
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))

function episodeOf(
  { published, installation }: PodcastDeps,
  post: PostSummary,
  { bytes, durationMs }: EpisodeFile,
  names: ReadonlySet<string>
): PodcastEpisode {
  const { post_id, slug, title, excerpt, author, language, published_at, featured_image_url } = post
  const address = `${installation.baseUrl()}/episodes/${post_id}`
  return {
    post_id,
    title,
    description: excerpt ?? title,
    link: published.addressOf(slug),
    author,
    publishedAt: new Date(published_at ?? 0),
    audio: { url: `${address}.mp3`, bytes, type: 'audio/mpeg', seconds: secondsOf(durationMs) },
    imageUrl: featured_image_url,
    transcripts: Object.entries(transcriptTypes)
      .filter(([extension]) => names.has(`${post_id}.${extension}`))
      .map(([extension, type]) => ({ url: `${address}.${extension}`, type, language })),
    chaptersUrl: names.has(`${post_id}.chapters.json`) ? `${address}.chapters.json` : null
  }
}
