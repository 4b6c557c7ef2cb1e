import { createHash } from 'node:crypto'
import { AppError } from '#core'
import type { ImageUploads } from '#plugins/media'
import type { FindImage, SourcePost } from '../source-post.ts'
import { fetchImage } from './fetch-image.ts'
import { ImageFault } from './image-fault.ts'

/** What becomes of a picture. `reason` completes its address: "was not found". */
type Outcome = { kind: 'stored'; url: string } | { kind: 'elsewhere' } | { kind: 'left'; reason: string }

/** What became of a picture that a post names. `url`: its address now; null where readers have none. */
export type TakenImage = Outcome & { url: string | null }

/** Of pictures, each once. */
interface ImageCounts {
  /** Stored now. */
  images: number
  /** Not found, or not taken: a note says why. */
  images_left: number
  /** At addresses of other servers, from which nothing was asked for. */
  images_elsewhere: number
}

/** Takes the pictures of posts into the media. Each is read once in a run, however many posts show it. */
export interface ImageTaker {
  /** @throws UnavailableError when pictures cannot be stored; the reason of an aborted signal */
  take(address: string, post: SourcePost): Promise<TakenImage>
  counts(): ImageCounts
}

interface TakerOptions {
  /** Undefined without the plugin media: every picture is left. */
  uploads: ImageUploads | undefined
  /** Of a stored picture, as posts name it. */
  urlOf(image: { url: string; filename: string }): string
  find: FindImage
  /** Fetch those that are not here. */
  isFetching: boolean
  /** Of the site that the posts come from, for addresses without a host; null where nobody knows it. */
  siteUrl: string | null
  /** Stores and fetches nothing. */
  isDry: boolean
  signal: AbortSignal
}

const counterOf = { stored: 'images', left: 'images_left', elsewhere: 'images_elsewhere' } as const

/** Beyond that a picture is read again. */
const maxKnown = 100_000

export function createImageTaker(options: TakerOptions): ImageTaker {
  const known = new Map<string, Promise<Outcome>>()
  const counts: ImageCounts = { images: 0, images_left: 0, images_elsewhere: 0 }
  const takeOnce = (key: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    const taking = work()
      .catch(leave)
      .then(taken => {
        counts[counterOf[taken.kind]] += 1
        return taken
      })
    if (known.size < maxKnown) known.set(key, taking)
    return taking
  }
  const takeSomewhere = async (address: string, post: SourcePost): Promise<Outcome> => {
    if (options.uploads === undefined)
      return takeOnce(address, async () => ({ kind: 'left', reason: 'is left: the plugin media is turned off' }))
    const data = dataOf(address)
    if (data !== null) return takeOnce(hashOf(address), () => store(options, address, async () => data))
    const local = await options.find(address, post).catch(leave)
    if (local !== null && 'kind' in local) return takeOnce(`${post.id} ${address}`, async () => local)
    if (local !== null) return takeOnce(local.key, () => store(options, address, local.read))
    const remote = remoteOf(address, options.siteUrl)
    if (remote === null)
      return takeOnce(`${post.id} ${address}`, async () => ({ kind: 'left', reason: 'was not found' }))
    if (!options.isFetching) return takeOnce(remote, async () => ({ kind: 'elsewhere' }))
    return takeOnce(remote, () => store(options, address, () => fetchImage(remote, options)))
  }
  return {
    counts: () => counts,
    async take(address, post) {
      const taken = await takeSomewhere(address, post)
      return taken.kind === 'stored' ? taken : { ...taken, url: urlElsewhere(address, options) }
    }
  }
}

/** Where a picture is that was not stored. Here, an address without a host leads nowhere, unless something else answers it. */
function urlElsewhere(address: string, { uploads, siteUrl }: TakerOptions): string | null {
  if (uploads === undefined) return address
  const remote = remoteOf(address, siteUrl)
  return remote !== null && URL.canParse(address) ? address : remote
}

async function store(
  { uploads, urlOf, isDry, signal }: TakerOptions,
  address: string,
  read: () => Promise<Uint8Array>
): Promise<Outcome> {
  if (isDry || uploads === undefined) return { kind: 'stored', url: address }
  const bytes = await read()
  return { kind: 'stored', url: urlOf(await uploads.add({ bytes, contentType: 'application/octet-stream' }, signal)) }
}

/** What is wrong with the picture is reported; all else ends the run. */
function leave(error: unknown): Extract<Outcome, { kind: 'left' }> {
  if (error instanceof ImageFault) return { kind: 'left', reason: error.message }
  const isRefused = error instanceof AppError && ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'].includes(error.code)
  if (isRefused) return { kind: 'left', reason: error.fields.body ?? error.message }
  throw error
}

/** The bytes of a picture that stands in the text itself. */
function dataOf(address: string): Uint8Array | null {
  const [start] = /^data:image\/[\w.+-]{1,40};base64,/i.exec(address) ?? []
  return start === undefined ? null : Buffer.from(address.slice(start.length), 'base64')
}

const hashOf = (address: string): string => createHash('sha256').update(address).digest('base64')

function remoteOf(address: string, siteUrl: string | null): string | null {
  const url = siteUrl === null ? URL.parse(address.replace(/^\/\//, 'https://')) : URL.parse(address, siteUrl)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}
