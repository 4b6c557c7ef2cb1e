import type { FastifyRequest } from 'fastify'
import {
  type App,
  access,
  type CacheRule,
  type FastifyPluginAsyncTypebox,
  type FastPath,
  NotFoundError,
  Type,
  UnavailableError
} from '#core'
import { sendPage } from '#lists'
import { mediaCacheTag } from './cache-tag.ts'
import type { MediaComponents } from './components.ts'
import { type EpisodeExtension, type Episodes, episodeTypes } from './episodes.ts'
import { imageTypes } from './images/images.ts'
import type { Renditions } from './images/renditions.ts'
import { uploadRoute } from './images/upload-route.ts'
import { generationRoutes } from './jobs/routes.ts'
import type { PodcastFeed } from './podcast/podcast-feed.ts'
import { EpisodePage, EpisodeParameter, EpisodeQuery, ImageParameter, imageName } from './schemas.ts'
import type { CachedFiles } from './serving/cached-files.ts'
import type { SendOptions } from './serving/file-answer.ts'
import { fastResponse, sendFile } from './serving/send-file.ts'

const fileConfig = {
  access: access.public,
  // Players on other sites read them by fetch: sound, transcripts and pictures are public.
  cors: 'any',
  documentation: { errors: ['NOT_FOUND'], checksIfMatch: true, sendsRanges: true }
} as const

/** Directories, players and counters of downloads add parameters of their own to addresses that they were given. */
const openQuery = Type.Object({}, { additionalProperties: true })

const bytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
const json = Type.Unsafe<Buffer>({ type: 'object', additionalProperties: true })

export const mediaRoutes =
  ({
    episodes,
    files,
    images,
    renditions,
    feed,
    generation,
    published
  }: Pick<
    MediaComponents,
    'episodes' | 'files' | 'images' | 'renditions' | 'feed' | 'generation' | 'published'
  >): FastifyPluginAsyncTypebox =>
  async app => {
    imageRoute(app, files, renditions)
    // A scope of its own: only this route takes pictures as a body.
    await app.register(async scope => uploadRoute(scope, images))
    await app.register(refuseInOneType, { prefix: '/episodes' })
    await app.register(async scope => {
      scope.addHook('onRequest', answerInOneType)
      episodesRoute(scope, episodes, published.cacheRule(mediaCacheTag))
      podcastRoute(scope, feed, { ...published.cacheRule(mediaCacheTag), ignoresQuery: true })
      for (const [extension, operationId, summary] of episodeFiles)
        episodeRoute(scope, episodes, extension, { operationId, summary })
    })
    generationRoutes(app, generation)
  }

/** Players and directories ask with any `Accept`: what they get never depends on it, a refusal neither. */
const answerInOneType = async ({ headers }: FastifyRequest): Promise<void> => {
  delete headers.accept
}

/**
 * The same where no route is. It is refused as everywhere, after a browser was led on to the address that was meant: only the type of
 * the refusal is another.
 */
const refuseInOneType: FastifyPluginAsyncTypebox = async scope => {
  const { errorHandler } = scope
  scope.setNotFoundHandler(({ url }) => {
    throw new NotFoundError(`There is nothing at ${url.split('?', 1)[0]}: check the address.`)
  })
  scope.setErrorHandler((error, request, reply) => {
    delete request.headers.accept
    return errorHandler(error, request, reply)
  })
}

/** The files of an episode, by extension. */
const episodeFiles: readonly (readonly [EpisodeExtension, operationId: string, summary: string])[] = [
  ['mp3', 'getEpisodeAudio', "A public post's audio"],
  ['mp4', 'getEpisodeVideo', "A public post's video"],
  ['short.mp4', 'getEpisodeShortVideo', "A public post's video for phones, of a minute at most"],
  ['vtt', 'getEpisodeWebVtt', 'Transcript of the audio as WebVTT'],
  ['srt', 'getEpisodeSubRip', 'Transcript of the audio as SubRip'],
  ['json', 'getEpisodeTranscript', 'Transcript of the audio as JSON'],
  ['chapters.json', 'getEpisodeChapters', 'Chapters of the audio, one for each second-level heading']
]

function imageRoute(app: App, files: CachedFiles, renditions: Pick<Renditions, 'make'>): void {
  const image = { content: { 'image/*': { schema: bytes } } }
  const schema = {
    operationId: 'getImage',
    tags: ['media'],
    summary: 'A generated or stock image',
    params: ImageParameter,
    querystring: openQuery,
    response: { 200: image, 206: image }
  }
  const fastPath: FastPath = (filename, request) => {
    const options = imageOptions(filename)
    const ready = files.ready(`images/${filename}`)
    return options && ready && fastResponse(request, ready, options)
  }
  app.get('/images/generated/:filename', { config: { ...fileConfig, fastPath }, schema }, (request, reply) =>
    forReaders(async () => {
      const { filename } = request.params
      const options = imageOptions(filename)
      if (options === undefined) throw new NotFoundError(`There is no image ${JSON.stringify(filename)}.`)
      const key = `images/${filename}`
      const served = await files.open(key)
      const made = served === null ? await renditions.make(filename) : null
      if (made === null) return sendFile(request, reply, { served, ...options })
      if (made.isStored) return sendFile(request, reply, { served: await files.open(key), ...options })
      // Beside it, whatever path the site lies under.
      return reply.header('cache-control', 'no-store').redirect(made.source)
    })
  )
}

/** What a store says of its faults is for the log: it names folders, buckets and keys. */
async function forReaders<Sent>(send: () => Promise<Sent>): Promise<Sent> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    const { message, detail = message } = error
    throw new UnavailableError('The file cannot be read now: try again later.', { cause: error, detail })
  }
}

function imageOptions(filename: string): SendOptions | undefined {
  const type = imageTypes[imageName.exec(filename)?.[1] ?? '']
  // A changed picture gets another name.
  return type === undefined ? undefined : { type, cacheControl: 'public, max-age=31536000, immutable' }
}

function episodesRoute(app: App, episodes: Episodes, cache: CacheRule): void {
  const schema = {
    operationId: 'listEpisodes',
    tags: ['media'],
    summary: 'Public posts with audio or video, newest first',
    querystring: EpisodeQuery,
    response: { 200: EpisodePage }
  }
  app.get('/episodes', { config: { access: access.public, cache }, schema }, async (request, reply) =>
    sendPage(request, reply, await episodes.list(request.query))
  )
}

function podcastRoute(app: App, feed: PodcastFeed, cache: CacheRule): void {
  const schema = {
    operationId: 'getPodcast',
    tags: ['media'],
    summary: 'RSS 2.0 feed of the newest public posts with audio, for podcast apps',
    querystring: openQuery,
    response: { 200: { content: { 'application/rss+xml': { schema: Type.String() } } } }
  }
  const config = { access: access.public, cors: 'any', cache, cost: 'heavy' } as const
  app.get('/podcast.xml', { config, schema }, async (_, reply) =>
    reply.type('application/rss+xml; charset=utf-8').send(await feed.xml())
  )
}

function episodeRoute(
  app: App,
  episodes: Episodes,
  extension: EpisodeExtension,
  names: { operationId: string; summary: string }
): void {
  const type = episodeTypes[extension]
  const [mediaType = type] = type.split(';', 1)
  const content = { content: { [mediaType]: { schema: type.startsWith('application/json') ? json : bytes } } }
  const schema = {
    ...names,
    tags: ['media'],
    params: EpisodeParameter,
    querystring: openQuery,
    response: { 200: content, 206: content }
  }
  const options = { type, cacheControl: 'public, max-age=0, must-revalidate' }
  const fastPath: FastPath = (post_id, request) => {
    const ready = episodes.ready(post_id, extension)
    return ready && fastResponse(request, ready.served, { ...options, filename: ready.filename })
  }
  const config = { ...fileConfig, fastPath }
  app.get(`/episodes/:post_id.${extension}`, { config, schema }, (request, reply) =>
    forReaders(async () => {
      const { post_id } = request.params
      const { served = null, filename } = (await episodes.open(post_id, extension)) ?? {}
      return sendFile(request, reply, { served, filename, ...options })
    })
  )
}
