import { createHash } from 'node:crypto'
import { ConflictError, type Db } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { digestMail, postMail } from '../pages/post-mail.ts'
import type { MailContent } from '../repository/sends.ts'

/** Makes mails of public posts. */
export interface Contents {
  /** @throws ConflictError for a post that is not public */
  ofPost(post_id: string): Promise<MailContent>
  /** Of the posts that were published in the last `days` days; undefined when there are none. */
  ofDigest(days: number): Promise<MailContent | undefined>
}

const maxDigestPosts = 50

export function createContents(deps: { db: Db; published: PublishedPosts; now(): Date }): Contents {
  const { db, published, now } = deps
  return {
    async ofPost(post_id) {
      const [found] = await published.texts(db, [post_id])
      if (found === undefined)
        throw new ConflictError(`The post ${post_id} is not public: publish it first. Nothing was mailed.`)
      return postMail({ ...found.post, url: published.addressOf(found.post.slug) }, published.site())
    },
    async ofDigest(days) {
      const since = now().getTime() - days * 86_400_000
      const { items } = await published.listed(db, { limit: maxDigestPosts, offset: 0 })
      const posts = items.filter(({ published_at }) => published_at !== null && Date.parse(published_at) >= since)
      if (posts.length === 0) return undefined
      return digestMail(
        posts.map(post => ({ ...post, url: published.addressOf(post.slug) })),
        published.site()
      )
    }
  }
}

/** Of all that is mailed to everybody: an approval is for one version of it. */
export const hashOfContent = ({ subject, html, text }: MailContent): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex')
