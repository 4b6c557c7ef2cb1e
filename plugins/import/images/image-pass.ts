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
  fault: string | null
}

/** As many at once of one post: of remote ones most of the time is waiting. */
const maxAtOnce = 4
const maxImages = 500
/** A few by name: what is wrong with one is wrong with most. */
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
  const cover = post.image === null ? [] : [post.image]
  const named = [...cover, ...links.map(({ address }) => address)]
  const taken = new Map<string, TakenImage>()
  const take = async (address: string) => taken.set(address, await taker.take(address, post.source))
  await forEachAsync([...new Set(named)].slice(0, maxImages), take, { concurrency: maxAtOnce })
  post.content = rewritten(post.content, links, taken)
  if (post.image !== null) post.image = taken.get(post.image)?.url ?? null
  const reasons = reasonsOfLeft([...cover, ...shown], taken)
  if (post.content === '') post.fault = `has no text, and ${reasons.at(-1)}`
  post.notes.push(...reasons.slice(0, maxNotes))
  if (reasons.length > maxNotes) post.notes.push(`${pluralized(reasons.length - maxNotes, 'more picture')} left`)
  if (new Set(named).size > maxImages) post.notes.push(`only ${maxImages} of its pictures were looked at`)
}

/** The text with the new addresses. A picture that no reader would see is left out. */
function rewritten(text: string, links: readonly ImageLink[], taken: ReadonlyMap<string, TakenImage>): string {
  const parts: string[] = []
  let position = 0
  for (const { start, end, address, picture } of links) {
    const url = taken.get(address)?.url
    if (url === undefined || url === address || start < position) continue
    const gone = url === null ? picture : { start, end }
    if (gone === null) continue
    parts.push(text.slice(position, gone.start), url ?? '')
    position = url === null ? endOfGap(text, gone) : gone.end
  }
  return [...parts, text.slice(position)].join('').trim()
}

/** Of a picture that is left out: a paragraph of its own goes with its empty line. */
function endOfGap(text: string, { start, end }: { start: number; end: number }): number {
  const isAlone = start === 0 || text.slice(start - 2, start) === '\n\n'
  const [lines = ''] = isAlone ? (/^\n*/.exec(text.slice(end, end + 2)) ?? []) : []
  return end + lines.length
}

const reasonsOfLeft = (addresses: readonly string[], taken: ReadonlyMap<string, TakenImage>): string[] =>
  [...new Set(addresses)].flatMap(address => {
    const each = taken.get(address)
    return each?.kind === 'left' ? [`picture ${cutText(address, 100)} ${each.reason}`] : []
  })
