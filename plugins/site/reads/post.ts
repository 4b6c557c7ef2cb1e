import { type Db, type Installation, type Log, withTimeout } from '#core'
import type { PictureSizes } from '#plugins/media'
import type { Post, PostSummary, PublishedPosts } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { articleHtml, beginsWith } from '../article/article.ts'
import type { CodeColours } from '../article/coloured-code.ts'
import { withPictureSizes } from '../article/picture-sizes.ts'
import { trusted } from '../html/html.ts'
import { basePathOf } from '../site-view.ts'
import type { Pictured, PostView, SiteView } from '../views.ts'
import { withPictures } from './pictured.ts'

const relatedPosts = 3
/** Readers came for the post: they do not wait longer for others like it. */
const maxRelatedMs = 500

interface PostViewDeps {
  db: Db
  published: PublishedPosts
  search: PostSearch | undefined
  installation: Pick<Installation, 'baseUrl'>
  colourCode: CodeColours
  pictureSizes: PictureSizes | undefined
  log: Log
}

/** `isComplete` is false when a part was missing that may be there the next time. */
interface ReadPost {
  view: PostView
  isComplete: boolean
}

/** Everything that the page of a public post shows; undefined when there is none with this slug. */
export async function readPostPage(deps: PostViewDeps, site: SiteView, slug: string): Promise<ReadPost | undefined> {
  const { db, published, colourCode, pictureSizes, installation } = deps
  const post = await published.find(slug)
  if (post === undefined) return undefined
  const [neighbours, category, related, coloured] = await Promise.all([
    published.neighbours(db, post),
    post.category === null ? undefined : published.category(db, post.category),
    readRelated(deps, slug),
    colourCode(post.content_html)
  ])
  const [sized, shown, others] = await Promise.all([
    withPictureSizes(articleHtml(coloured.html, basePathOf(installation.baseUrl())), pictureSizes),
    withPictures([post], pictureSizes),
    withPictures(related ?? [], pictureSizes)
  ])
  const beside = { ...neighbours, category: category ?? null, related: others.posts }
  const view = postViewOf({ published, site }, shown.posts[0] ?? post, { ...beside, text: trusted(sized.html) })
  const isComplete = [coloured, sized, shown, others].every(part => part.isComplete) && related !== undefined
  return { view, isComplete }
}

/** A post with what its page shows beside it. */
export const postViewOf = (
  { published, site }: { published: PublishedPosts; site: SiteView },
  post: Pictured<Post>,
  beside: Pick<PostView, 'text' | 'category' | 'previous' | 'next' | 'related'>
): PostView => ({
  post,
  tags: post.tags.map(name => ({ slug: published.slugOfTag(name), name })),
  lead: leadOf(post),
  url: published.addressOf(post.slug),
  ...mediaOf(site, post),
  ...beside
})

/** Null where the text begins with the excerpt: nobody reads it twice. */
const leadOf = ({ excerpt, content_html }: Post): string | null =>
  excerpt === null || beginsWith(content_html, excerpt) ? null : excerpt

function mediaOf(
  site: SiteView,
  { media: { podcast_url, video_url } }: Post
): Pick<PostView, 'audio' | 'transcript' | 'video'> {
  const linkTo = (url: string | null) => (url === null ? null : site.link(url))
  const transcript = podcast_url?.endsWith('.mp3') === true ? podcast_url.replace(/\.mp3$/, '.json') : null
  return { audio: linkTo(podcast_url), transcript: linkTo(transcript), video: linkTo(video_url) }
}

/** Undefined when they could not be found in time. */
async function readRelated({ search, log }: PostViewDeps, slug: string): Promise<readonly PostSummary[] | undefined> {
  if (search === undefined) return []
  try {
    return await withTimeout(maxRelatedMs, search.related(slug, relatedPosts), () => undefined)
  } catch (error) {
    log.warn({ err: error, slug }, 'related posts could not be found')
    return undefined
  }
}
