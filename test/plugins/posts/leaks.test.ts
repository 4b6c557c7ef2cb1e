import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { filesUnder } from '../../helpers/files-under.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { type Answer, startService, type TestService } from '../../helpers/service.ts'

/**
 * What readers may not see, with a word of its own in every field, against every public route the API document has: no word
 * comes back, and an address made of one answers as an address of nothing does.
 */
const hidden = ['draft', 'awaiting', 'approved', 'scheduled', 'archived', 'ahead', 'withdrawn', 'removed'] as const
type Hidden = (typeof hidden)[number]
const statusOf: Partial<Record<Hidden, string>> = {
  draft: 'draft',
  awaiting: 'awaiting_approval',
  approved: 'approved',
  scheduled: 'scheduled',
  archived: 'archived',
  ahead: 'published'
}

/** Columns that hold no words of an author's, or none that could be in a public post alone. */
const wordless = ['status', 'language', 'approved_hash', 'content_hash', 'media_state']
const plain = [
  'slug',
  'title',
  'excerpt',
  'content',
  'content_html',
  'category',
  'seo_title',
  'seo_description',
  'author',
  'niche_slug',
  'created_by',
  'body_hash',
  'featured_image_url',
  'awaiting_gate',
  'media_error'
]
const lists = ['tags', 'tag_slugs', 'seo_keywords', 'media']

const prefix = 'zq'
/** One word, alike in no two fields: `zqdraftxtitle`. */
const word = (kind: Hidden, field: string) => `${prefix}${kind}x${field.replaceAll('_', '')}`
const nothing = 'zzabsentxtitle'

let service: TestService
const ids: Record<string, string> = {}
before(async () => {
  service = await startService({ worker: false })
  await makePublicPost(service, { title: 'Herring', category: 'Fish', tags: ['sea'] })
  for (const kind of hidden) ids[kind] = statusOf[kind] === undefined ? await makeWithdrawn(kind) : await insert(kind)
})
after(() => service.close())

async function insert(kind: Hidden): Promise<string> {
  const category = word(kind, 'category')
  await service.db.query('insert into categories (slug, name, description) values ($1, $2, $3)', [
    category,
    word(kind, 'categoryname'),
    word(kind, 'categorytext')
  ])
  const post_id = randomUUID()
  const status = statusOf[kind] as string
  const fields = plain.filter(field => field !== 'awaiting_gate' || kind === 'scheduled')
  const columns = [...fields, ...lists]
  const values = [...fields.map(field => word(kind, field)), ...lists.map(field => [word(kind, field)])]
  const slot = ['scheduled', 'ahead'].includes(kind) ? "now() + interval '1 day'" : 'null'
  await service.db.query(
    `insert into posts (post_id, status, published_at, metadata, ${columns.join(', ')})
     values ($1, $2, ${slot}, $3::jsonb, ${columns.map((_, at) => `$${at + 4}`).join(', ')})`,
    [post_id, status, JSON.stringify({ note: word(kind, 'metadata') }), ...values]
  )
  await service.db.query('insert into post_slugs (slug, post_id) values ($1, $2) on conflict do nothing', [
    word(kind, 'oldslug'),
    post_id
  ])
  return post_id
}

/** Public, read by everybody once, and then taken away over the API. */
async function makeWithdrawn(kind: Hidden): Promise<string> {
  const { post_id } = await makePublicPost(service, {
    title: word(kind, 'title'),
    slug: word(kind, 'slug'),
    excerpt: word(kind, 'excerpt'),
    content: word(kind, 'content'),
    category: word(kind, 'category'),
    tags: [word(kind, 'tags')],
    niche_slug: word(kind, 'nicheslug'),
    seo_keywords: [word(kind, 'seokeywords')]
  } as Parameters<typeof makePublicPost>[1])
  const patched = await service.bearer('PATCH', `/api/posts/${post_id}`, { author: word(kind, 'author') })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  for (const target of ['/api/posts', '/api/tags', '/api/categories', '/feed.xml', `/api/posts/${patched.body.slug}`])
    await service.anonymous('GET', target)
  assert.equal((await service.anonymous('GET', `/api/posts/search?q=${word(kind, 'title')}`)).body.total, 1)
  const taken =
    kind === 'removed'
      ? await service.bearer('DELETE', `/api/posts/${post_id}`)
      : await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  assert.ok(taken.status < 300, JSON.stringify(taken.body))
  return post_id
}

interface Operation {
  security?: object[]
  parameters?: { name?: string; in?: string; $ref?: string }[]
}

/** Public GET routes with what their parameters are called. */
async function publicReads(): Promise<{ url: string; names: string[] }[]> {
  const { body } = await service.anonymous('GET', '/openapi.json')
  const paths = body.paths as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([url, { get }]) => {
    const isPublic = get !== undefined && (get.security ?? []).every(each => Object.keys(each).length === 0)
    const isOptional = get?.security?.some(each => Object.keys(each).length === 0) ?? false
    const names = (get?.parameters ?? []).flatMap(each => (each.name === undefined ? [] : [each.name]))
    return isPublic || isOptional ? [{ url, names }] : []
  })
}

const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body))
const wordsIn = (text: string): string[] => [...new Set(text.match(/zq[a-z]+x[a-z]+/gi) ?? [])]

/** Without what differs between any two requests. */
const comparable = (answer: Answer, given: string) => ({
  status: answer.status,
  link: answer.headers.get('link')?.replaceAll(given, '…') ?? null,
  body: textOf(answer)
    .replaceAll(given, '…')
    .replace(/"request_id":"[^"]+"/, '')
    .replace(/"(timestamp|generated_at)":"[^"]+"/g, '')
})

/** Asks with a hidden word and with one that nobody uses: the answers are alike. */
async function assertSameAnswer(targetOf: (given: string) => string, given: string, absent: string): Promise<void> {
  const one = await service.anonymous('GET', targetOf(given))
  const other = await service.anonymous('GET', targetOf(absent))
  assert.deepEqual(comparable(one, given), comparable(other, absent), targetOf(given))
  assert.deepEqual(wordsIn(textOf(one).replaceAll(given, '')), [], targetOf(given))
}

const encode = encodeURIComponent
/** A word of the same length that nobody uses: some answers are bounded by length. */
const absentLike = (given: string) => nothing.padEnd(given.length, 'q').slice(0, given.length)

test('the words stand in every text a post has', async () => {
  const columns = await service.db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'posts'
     and (data_type in ('text', 'ARRAY', 'jsonb')) order by 1`
  )
  const known = [...plain, ...lists, ...wordless, 'metadata'].sort()
  assert.deepEqual(
    columns.map(({ name }) => name),
    known,
    'a new column: give it a word here'
  )
})

test('no list, feed or document has a word of them', async () => {
  for (const { url } of (await publicReads()).filter(route => !route.url.includes('{'))) {
    if (url === '/graphql' || url.includes('search')) continue
    for (const target of [url, ...(/posts$/.test(url) ? [`${url}?limit=100`] : [])]) {
      const answer = await service.anonymous('GET', target)
      assert.deepEqual(wordsIn(textOf(answer)), [], target)
    }
  }
})

test('an address made of one of their words, or of an id of theirs, answers as one of nothing does', async () => {
  const reads = (await publicReads()).filter(({ url }) => url.includes('{') && !url.includes('{preview_token}'))
  assert.ok(reads.length >= 6, JSON.stringify(reads))
  for (const { url } of reads)
    for (const kind of hidden) {
      const id = ids[kind] as string
      await assertSameAnswer(given => url.replace(/\{\w+\}/, given), id, randomUUID())
      for (const field of ['slug', 'oldslug', 'category', 'tags', 'title']) {
        const given = word(kind, field)
        await assertSameAnswer(each => url.replace(/\{\w+\}/, each), given, absentLike(given))
      }
      await assertSameAnswer(given => url.replace(/\{\w+\}/, `${given}.png`), id, randomUUID())
    }
})

test('a filter by one of their words answers as one by nothing does', async () => {
  for (const kind of hidden)
    for (const field of ['category', 'tags', 'title']) {
      const given = word(kind, field)
      for (const name of ['category', 'tag'])
        await assertSameAnswer(each => `/api/posts?${name}=${encode(each)}`, given, absentLike(given))
    }
})

test('a search for their words, begun, misspelt or quoted, finds what one for nothing does', async () => {
  const forms = [(given: string) => given, (given: string) => `${given.slice(0, -2)}*`, (given: string) => `"${given}"`]
  for (const kind of hidden)
    for (const field of ['title', 'content', 'excerpt', 'tags', 'category', 'author', 'slug']) {
      const given = word(kind, field)
      const misspelt = `${given.slice(0, -2)}${given.at(-1)}${given.at(-2)}`
      const target = (text: string) => `/api/posts/search?q=${encode(text)}`
      if (field === 'title') {
        for (const form of forms) await assertSameAnswer(each => target(form(each)), given, absentLike(given))
        const answer = await service.anonymous('GET', target(misspelt))
        assert.deepEqual(wordsIn(textOf(answer)), [], misspelt)
      } else await assertSameAnswer(target, given, absentLike(given))
    }
})

const graphql = (given: string) => ({
  query: `query ($w: String!) {
    posts(first: 100) { edges { node { postId slug title excerpt content contentHtml category tags author } } totalCount }
    byCategory: posts(first: 5, category: $w) { totalCount }
    byTag: posts(first: 5, tag: $w) { totalCount }
    post(slug: $w) { postId title }
    search(q: $w, first: 10) { edges { node { slug title excerpt } } totalCount }
    categories { slug name description }
    tags { slug name }
  }`,
  variables: { w: given }
})

test('GraphQL has none of them, and answers for them as for nothing', async () => {
  const ask = (given: string) => service.anonymous('POST', '/graphql', graphql(given))
  const absent = await ask(nothing)
  assert.equal(absent.body.errors, undefined, JSON.stringify(absent.body))
  for (const kind of hidden)
    for (const field of ['slug', 'title', 'category', 'tags', 'oldslug']) {
      const answer = await ask(word(kind, field))
      assert.deepEqual(wordsIn(textOf(answer)), [])
      assert.deepEqual(answer.body, absent.body, word(kind, field))
    }
})

test('the export has none of them', async () => {
  const { status, body } = await service.bearer('POST', '/api/export/rebuild')
  assert.equal(status, 200, JSON.stringify(body))
  for (const file of filesUnder(path.join(service.home, 'export'))) {
    const text = path.basename(file) + readFileSync(file, 'utf8')
    assert.deepEqual(wordsIn(text), [], file)
  }
})
