import { createHash } from 'node:crypto'
import { ConflictError, type Db } from '#core'
import type { Post, PublishedPosts } from '#plugins/posts'
import { digestMail, type MailedPost, postMail } from '../pages/post-mail.ts'
import type { MailContent, MailText } from '../repository/sends.ts'

/** The posts published since then, but those that are `without`, unless they are mailed again. */
export interface DigestRange {
  since: Date
  without?: readonly string[]
  isAgain?: boolean
}

/** Of the posts of some days. */
export interface DigestContent {
  /** Undefined when no posts are left. */
  content: MailContent | undefined
  /** How many posts of these days are not in it, because they were `without`. */
  left_out: number
  /** It is full: older posts of these days that were not `without` are left for another one. */
  has_more: boolean
}

/** Makes mails of public posts. */
export interface Contents {
  /** @throws ConflictError for a post that is not public */
  ofPost(post_id: string): Promise<MailContent>
  ofDigest(range: DigestRange): Promise<DigestContent>
  /** The same mail, of what is still public of its posts and reads now; undefined when nothing is. */
  again(mail: Pick<MailKind, 'kind' | 'post_ids'>): Promise<MailContent | undefined>
  /** Whether all of these posts are public. */
  arePublic(post_ids: readonly string[]): Promise<boolean>
}

interface MailKind {
  kind: 'post' | 'digest'
  post_ids: readonly string[]
}

export const maxDigestPosts = 50
const postsPerRead = 200

export function createContents({ db, published }: { db: Db; published: PublishedPosts }): Contents {
  const withUrl = <P extends { slug: string }>(post: P) => ({ ...post, url: published.addressOf(post.slug) })
  const mailOfPost = async (post: Post): Promise<MailContent> => ({
    post_ids: [post.post_id],
    ...(await postMail(withUrl(post), published.site()))
  })
  const mailOfDigest = (posts: readonly DigestPost[]): MailContent | undefined =>
    posts.length === 0
      ? undefined
      : { post_ids: posts.map(({ post_id }) => post_id), ...digestMail(posts.map(withUrl), published.site()) }
  /** Newest first. One may come twice when another is published meanwhile. */
  async function* publishedSince(since: Date): AsyncGenerator<DigestPost> {
    for (let offset = 0; ; offset += postsPerRead) {
      const { items } = await published.listed(db, { limit: postsPerRead, offset })
      const ofRange = items.filter(isPublishedSince(since))
      yield* ofRange
      if (ofRange.length < postsPerRead) return
    }
  }
  return {
    async ofPost(post_id) {
      const [found] = await published.texts(db, [post_id])
      if (found === undefined)
        throw new ConflictError(`The post ${post_id} is not public: publish it first. Nothing was mailed.`)
      return mailOfPost(found.post)
    },
    async ofDigest({ since, without = [], isAgain = false }) {
      const known = new Set(without)
      const held = new Map<string, DigestPost>()
      const leftOut = new Set<string>()
      let hasMore = false
      for await (const post of publishedSince(since)) {
        const isKnown = known.has(post.post_id)
        if (held.has(post.post_id)) continue
        if (held.size < maxDigestPosts && (isAgain || !isKnown)) held.set(post.post_id, post)
        else if (isKnown) leftOut.add(post.post_id)
        else hasMore = true
      }
      return { content: mailOfDigest([...held.values()]), left_out: leftOut.size, has_more: hasMore }
    },
    async again({ kind, post_ids }) {
      const posts = (await published.texts(db, post_ids)).map(({ post }) => post)
      const [post] = posts
      if (post === undefined) return undefined
      return kind === 'post' ? mailOfPost(post) : mailOfDigest(posts.toSorted(newestFirst))
    },
    arePublic: async post_ids => (await published.texts(db, post_ids)).length === post_ids.length
  }
}

type DigestPost = Omit<MailedPost, 'url' | 'content_html'> & Pick<Post, 'post_id' | 'slug' | 'published_at'>

const isPublishedSince =
  (since: Date) =>
  ({ published_at }: DigestPost): boolean =>
    published_at !== null && Date.parse(published_at) >= since.getTime()

const newestFirst = (one: DigestPost, other: DigestPost): number =>
  (other.published_at ?? '') < (one.published_at ?? '') ? -1 : 1

/** Of all that is mailed to everybody: an approval is for one version of it. */
export const hashOfContent = ({ subject, html, text }: MailText): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex')
