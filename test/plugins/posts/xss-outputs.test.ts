// Not on a server: texts are made safe before they are stored, and when a page is written.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Parser } from 'htmlparser2'
import { PostsService, PublishedPostsService } from '../../../plugins/posts/index.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { found, payloads } from './xss-payloads.ts'

// Hundreds of payloads, in all that a text is shown in, over the interfaces that readers use.
/** No text that comes in has them. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const posts = 8
const wanted = 400
/** Ends whatever the payload before may have begun, so that it hides none after it. */
const end = '\n\n-->]]></script></style></textarea></xmp></noscript></template></iframe></svg></math></title>\n\n'

const all = [...payloads()]
const sample = all.filter((_, at) => at % Math.floor(all.length / wanted) === 0)
const mark = (at: number) => `mark${at}end`
const shown: { post_id: string; slug: string }[] = []
let plain: { post_id: string }
let service: TestService

before(async () => {
  service = await startService({ worker: false })
  for (let post = 0; post < posts; post += 1) {
    const own = sample.map((payload, at) => [payload, at] as const).filter(([, at]) => at % posts === post)
    const content = own.map(([payload, at]) => `${mark(at)}\n\n${payload.replace(controls, '')}${end}`).join('')
    const title = `${own.find(([payload]) => payload.length < 100)?.[0].replace(/\s/g, ' ')} ${randomUUID()}`
    const excerpt = own
      .map(([payload]) => payload)
      .join(' ')
      .replace(controls, '')
      .slice(0, 900)
    shown.push(await publish({ title, content, excerpt, tags: ['<svg onload=alert(1)>'] }))
  }
  plain = await publish({ title: 'Herring', content: 'Fish.' })
})
after(() => service.close())

async function publish(fields: object): Promise<{ post_id: string; slug: string }> {
  const made = await service.bearer('POST', '/api/posts', fields)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { status, body } = await service.bearer('POST', `/api/posts/${made.body.post_id}/publish`, {})
  assert.equal(status, 200, JSON.stringify(body))
  return made.body
}

/** What readers get of every post, by where they get it: HTML, all of it. */
async function outputs(): Promise<Record<string, string[]>> {
  const feed = itemsOf(await textOf('/feed.xml'))
  const published = service.service(PublishedPostsService)
  const json = JSON.parse((await published?.feedJson(service.db)) ?? '')
  const query = '{ posts(first: 100) { edges { node { contentHtml } } } }'
  const graphql = await service.anonymous('POST', '/graphql', { query })
  const pages = await Promise.all(shown.map(previewOf))
  const rest = await Promise.all(shown.map(({ slug }) => service.anonymous('GET', `/api/posts/${slug}`)))
  return {
    'the feed': feed['content:encoded'],
    'the JSON feed': json.items.map((item: { content_html: string }) => item.content_html),
    GraphQL: graphql.body.data.posts.edges.map(({ node }: { node: { contentHtml: string } }) => node.contentHtml),
    'the preview page': pages,
    'the texts of the site': await Promise.all(shown.map(sitePageOf)),
    REST: rest.map(({ body }) => body.content_html),
    'titles and descriptions of the feed': [...feed.title, ...feed.description]
  }
}

const textOf = async (target: string) => (await fetch(service.url + target)).text()

async function previewOf({ post_id }: { post_id: string }): Promise<string> {
  const url = (await service.service(PostsService)?.previewUrl(post_id)) ?? ''
  return textOf(new URL(url).pathname)
}

/** The text on a page of the site, without the ids that its headings have there. */
async function sitePageOf({ slug }: { slug: string }): Promise<string> {
  const html = await textOf(`/posts/${slug}`)
  const text = html.slice(html.indexOf('<div class="text">'), html.indexOf('<footer>'))
  return text.replace(/ id="s-[\p{L}\p{M}\p{N}-]*"/gu, '')
}

/** The texts of the feed's items, as a reader's program finds them. */
function itemsOf(xml: string): { title: string[]; description: string[]; 'content:encoded': string[] } {
  const found = { title: [], description: [], 'content:encoded': [] } as Record<string, string[]>
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name)
        if (path.at(-2) === 'item') found[name]?.push('')
      },
      ontext(text) {
        const list = path.at(-2) === 'item' ? found[path.at(-1) ?? ''] : undefined
        list?.push((list.pop() ?? '') + text)
      },
      onclosetag: () => void path.pop()
    },
    { xmlMode: true }
  )
  parser.end(xml)
  return found as ReturnType<typeof itemsOf>
}

async function assertClean(): Promise<void> {
  // The page has a head and a style of its own.
  const ofPage = found(await previewOf(plain))
  for (const [where, htmls] of Object.entries(await outputs())) {
    const html = htmls.join('\n')
    const expected = where === 'the preview page' ? shown.flatMap(() => ofPage) : []
    assert.deepEqual(htmls.flatMap(found), expected, where)
    if (where.startsWith('titles')) continue
    const missing = sample.map((_, at) => mark(at)).filter(each => !html.includes(each))
    assert.deepEqual(missing, [], `${where} has every payload's place`)
  }
}

test('hundreds of payloads come out of every interface as nothing that runs', assertClean)

test('HTML that a backup brings is made anew from the markdown; what cannot be rendered is shown as it was typed', async () => {
  const tooDeep = `<script>alert(1)</script>\n\n${'>'.repeat(100_000)}`
  await service.db.query('update posts set content = $2 where post_id = $1', [plain.post_id, tooDeep])
  await service.db.query(`update posts set content_html = '<script>alert(1)</script>', word_count = 1`)
  const [posts] = service.kernel.plugins.filter(({ plugin }) => plugin.name === 'posts')
  const signal = new AbortController().signal
  await service.db.transaction(async tx => {
    await posts?.contribution.onRestore?.(tx, signal)
  })
  const [deep] = await service.db.query<{ content_html: string }>('select content_html from posts where post_id = $1', [
    plain.post_id
  ])
  assert.equal(deep?.content_html, `<pre>&lt;script&gt;alert(1)&lt;/script&gt;\n\n${'&gt;'.repeat(100_000)}</pre>\n`)
  await assertClean()
})
