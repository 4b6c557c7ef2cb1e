import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Queryable, UnavailableError } from '#core'
import type { ExportFile, PostFiles, PublicLists } from '#plugins/export'
import type { Post, PostLink } from '#plugins/posts'
import { articleHtml } from '../article/article.ts'
import { colourTexts, hasCode } from '../article/coloured-code.ts'
import { forExports, withPictureSizes } from '../article/picture-sizes.ts'
import type { SiteComponents } from '../components.ts'
import { trusted } from '../html/html.ts'
import { withPictures } from '../reads/pictured.ts'
import { postViewOf } from '../reads/post.ts'
import { listNeighbours } from '../repository/neighbours.ts'
import type { ListedPost, SiteView } from '../views.ts'
import { categoriesIn, dependencyText } from './post-dependencies.ts'
import { readStaticSite } from './static-site.ts'

export const postPagePath = (slug: string): string => `posts/${slug}/index.html`

/** Ends every page of a post and of a list, so that one is known again that no manifest names. */
const markOf = (post_id: string): string => `<!-- galley post ${post_id} -->\n`
export const listMark = '<!-- galley list -->\n'
export const isMarkedPage = (path: string, text: string): boolean =>
  path.endsWith('/index.html') && /<!-- galley (post [0-9a-f-]{36}|list) -->\s*$/.test(text)

/** A page that is not complete is made again by later runs. */
export const htmlFile = (path: string, content: string, isComplete: boolean): ExportFile => ({
  path,
  content,
  type: 'text/html; charset=utf-8',
  ...(isComplete ? {} : { isUnfinished: true })
})

/** A page takes half a millisecond: readers of the service wait no longer than for so many. */
const pagesInTurn = 10

/** The page of each post, in their order. */
export async function postPages(
  components: SiteComponents,
  db: Queryable,
  { posts, lists }: { posts: readonly Post[]; lists: Pick<PublicLists, 'labels'> }
): Promise<PostFiles[]> {
  const { published, themes } = components
  const { data, view: site } = await readStaticSite(components)
  const contents = posts.map(({ content_html }) => content_html)
  // Children colour code while the database answers.
  const [texts, { rows, related }, categories, pictured] = await Promise.all([
    staticArticles(components, site, '/posts/', contents),
    neighboursOf(components, db, posts),
    categoriesIn(lists, published, { db, posts }),
    withPictures(posts, components.pictureSizes, forExports)
  ])
  const files: PostFiles[] = []
  for (const [at, post] of pictured.posts.entries()) {
    const { previous = null, next = null, related: others = [] } = rows.get(post.post_id) ?? {}
    const category = categories.get(post.category ?? '') ?? null
    const view = postViewOf({ published, site }, post, {
      text: trusted(texts[at]?.html ?? ''),
      category,
      previous: linkOf(previous),
      next: linkOf(next),
      related: others.flatMap(({ post_no }) => related.posts.get(post_no) ?? [])
    })
    const page = await themes.render('post', data, view)
    const isComplete = [page, pictured, related, texts[at]].every(part => part?.isComplete)
    const file = htmlFile(postPagePath(post.slug), page.html + markOf(post.post_id), isComplete)
    files.push({ files: [file], dependencies: dependencyText({ previous, next, related: others, category }) })
    if (files.length % pagesInTurn === 0) await nextTurn()
  }
  return files
}

/** What each post's page shows of other posts. */
async function neighboursOf(components: SiteComponents, db: Queryable, posts: readonly Post[]) {
  const listed = await listNeighbours(
    db,
    posts.map(({ post_id }) => post_id)
  )
  const numbers = new Set(listed.flatMap(row => row.related.map(({ post_no }) => post_no)))
  return {
    rows: new Map(listed.map(row => [row.post_id, row])),
    related: await picturedByNumber(components, db, numbers)
  }
}

const linkOf = (post: PostLink | null): PostLink | null =>
  post === null ? null : { slug: post.slug, title: post.title }

export async function picturedByNumber(
  { published, pictureSizes }: Pick<SiteComponents, 'published' | 'pictureSizes'>,
  db: Queryable,
  numbers: ReadonlySet<number>
): Promise<{ posts: Map<number, ListedPost>; isComplete: boolean }> {
  if (numbers.size === 0) return { posts: new Map(), isComplete: true }
  const found = await published.byNumber(db, [...numbers], 0)
  const { posts, isComplete } = await withPictures(
    found.map(({ post }) => post),
    pictureSizes,
    forExports
  )
  return { posts: new Map(found.map(({ post_no, post }, at) => [post_no, posts[at] ?? post])), isComplete }
}

/** The machine may be too busy to colour code: an export has time. */
const colourTries = 20
const colourWaitMs = 250

/**
 * Texts as exported pages show them. `folder`: where their pages are on the site, with a slash at both ends. `isComplete` false: their
 * code has no colours, or their pictures no sizes yet.
 */
export async function staticArticles(
  { pictureSizes }: Pick<SiteComponents, 'pictureSizes'>,
  { link }: Pick<SiteView, 'link'>,
  folder: string,
  texts: readonly string[]
): Promise<{ html: string; isComplete: boolean }[]> {
  const linked = (html: string) => withSiteLinks(articleHtml(html, ''), folder, link)
  const coloured = await colourWithRetries(texts)
  const articles: { html: string; isComplete: boolean }[] = []
  for (const html of coloured ?? texts) {
    const sized = await withPictureSizes(linked(html), pictureSizes, forExports)
    articles.push({ html: sized.html, isComplete: sized.isComplete && (coloured !== null || !hasCode(html)) })
  }
  return articles
}

/** An address in a tag without a scheme and a host, which is no place in the page itself. */
const siteAddress = /(\s(?:href|src)=")(?![a-z][a-z\d+.-]*:|\/\/|[#?"])([^"]*)/gi

/** Links to places of the site, as exported pages name them: there a page is one folder deeper, so that `ebb` would lead elsewhere. */
function withSiteLinks(html: string, folder: string, link: SiteView['link']): string {
  return html.replace(siteAddress, (_, attribute: string, url: string) => attribute + link(placeOf(url, folder)))
}

function placeOf(url: string, folder: string): string {
  const parsed = url.startsWith('/') ? null : URL.parse(url, `http://site${folder}`)
  return parsed === null ? url : `${parsed.pathname}${parsed.search}${parsed.hash}`
}

/** Null where the machine was too busy all the time. */
async function colourWithRetries(texts: readonly string[]): Promise<readonly string[] | null> {
  for (let tries = 1; ; tries++)
    try {
      return await colourTexts(texts)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      if (tries === colourTries) return null
      await sleep(colourWaitMs)
    }
}
