import path from 'node:path'
import { boundedMany, LimitError } from '#child-process'
import { forEachAsync } from '#concurrency'
import { cutText } from '#text/excerpts'
import { pluralized } from '#text/plural'
import type { SourcePost } from '../source-post.ts'
import type { ImageLink } from './image-links.ts'
import type { ImageTaker, TakenImage } from './image-taker.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./image-links${path.extname(import.meta.url)}`, import.meta.url)
const findBounded = boundedMany<ImageLink[]>(module, 'findImageLinks')

/** A text whose pictures are to be taken, and the picture of the post. */
interface Illustrated {
  readonly source: SourcePost
  readonly notes: string[]
  content: string
  image: string | null
}

/** As many at once of one post: of remote ones most of the time is waiting. */
const maxAtOnce = 4
const maxImages = 500
const maxNotes = 5

/** Whatever has a picture has one of these. */
const hint = /!\[|<img\s|\.(?:jpe?g|png|gif|webp|avif)/i

/** Takes the pictures of posts, and has the posts name them by their new addresses. @throws UnavailableError */
export async function takeImages(posts: readonly Illustrated[], taker: ImageTaker, client: string): Promise<void> {
  const hinted = posts.filter(({ content }) => hint.test(content))
  const found = await findBounded(
    hinted.map(({ content }) => content),
    client
  )
  const links = new Map(hinted.map((post, index) => [post, found[index]]))
  for (const post of posts) {
    const inText = links.get(post) ?? []
    if (inText instanceof LimitError) post.notes.push(`its pictures are left: the text ${inText.message}`)
    else await takeOf(post, inText, taker)
  }
}

async function takeOf(post: Illustrated, links: readonly ImageLink[], taker: ImageTaker): Promise<void> {
  const shown = links.filter(({ isLinked }) => !isLinked).map(({ address }) => address)
  const named = [...(post.image === null ? [] : [post.image]), ...links.map(({ address }) => address)]
  const taken = new Map<string, TakenImage>()
  const take = async (address: string) => taken.set(address, await taker.take(address, post.source))
  await forEachAsync([...new Set(named)].slice(0, maxImages), take, { concurrency: maxAtOnce })
  const urlOf = (address: string): string | null => {
    const each = taken.get(address)
    // Here, an address without a host would lead nowhere.
    const isUnchanged =
      each === undefined || each.kind === 'left' || (each.kind === 'elsewhere' && URL.canParse(address))
    return isUnchanged ? null : each.url
  }
  post.content = rewritten(post.content, links, urlOf)
  if (post.image !== null) post.image = urlOf(post.image) ?? post.image
  addNotesOfUntaken(post, new Set([...(post.image === null ? [] : named.slice(0, 1)), ...shown]), taken)
}

function rewritten(text: string, links: readonly ImageLink[], urlOf: (address: string) => string | null): string {
  const parts: string[] = []
  let position = 0
  for (const { start, end, address } of links) {
    const url = urlOf(address)
    if (url === null || start < position) continue
    parts.push(text.slice(position, start), url)
    position = end
  }
  return [...parts, text.slice(position)].join('')
}

/** A few by name: what is wrong with one is wrong with most. */
function addNotesOfUntaken(
  { notes }: Illustrated,
  shown: ReadonlySet<string>,
  taken: ReadonlyMap<string, TakenImage>
): void {
  const left = [...shown].flatMap(address => {
    const each = taken.get(address)
    return each?.kind === 'left' ? [`picture ${cutText(address, 100)} ${each.reason}`] : []
  })
  notes.push(...left.slice(0, maxNotes))
  if (left.length > maxNotes) notes.push(`${pluralized(left.length - maxNotes, 'more picture')} left`)
  if (shown.size > maxImages) notes.push(`only ${maxImages} of its pictures were looked at`)
}
