import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UnavailableError } from '#core'
import { embeddingDimensions, MemoryService } from '#plugins/memory'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let isDown = false
const embedder = {
  model: 'like-everything',
  async embed(texts: readonly string[]) {
    if (isDown) throw new UnavailableError('The embedder is away.')
    return texts.map(() => Array.from({ length: embeddingDimensions }, (_, at) => (at === 0 ? 1 : 0)))
  }
}

let service: TestService
before(async () => {
  service = await startService({ worker: false })
  const memory = service.kernel.service(MemoryService)
  memory?.registerEmbedder('test', embedder)
  await service.kernel.settings.set('embedder', 'test')
  for (let n = 1; n <= 5; n++) {
    const tags = n % 2 === 0 ? ['Sea Water'] : ['Sea Water', 'Moon']
    await makePublicPost(service, { title: `Tide number ${n}`, category: n < 4 ? 'Harbours' : 'Ships', tags })
  }
  await memory?.backfill('posts')
})
after(() => service.close())

const ask = async (query: string, variables: object = {}) => {
  const { status, body } = await service.anonymous('POST', '/graphql', { query, variables })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.errors, undefined, JSON.stringify(body.errors))
  return body.data
}

test('a list of posts has the fields of the REST API in camelCase', async () => {
  const { items } = (await service.anonymous('GET', '/api/posts?limit=1')).body
  const fields = Object.keys(items[0]).filter(name => name !== 'media')
  const camel = (name: string) => name.replace(/_[a-z]/g, part => part.slice(1).toUpperCase())
  const { posts } = await ask(
    `{ posts(first: 1) { edges { node { ${fields.map(camel).join(' ')} media { podcastUrl videoUrl } } } } }`
  )
  const { media, ...rest } = posts.edges[0].node
  assert.deepEqual(rest, Object.fromEntries(fields.map(name => [camel(name), items[0][name]])))
  assert.deepEqual(media, { podcastUrl: null, videoUrl: null })
})

test('pages of a list follow one another by their cursors, and the REST cursor is the same', async () => {
  const query = `query Page($after: String) {
    posts(first: 2, after: $after) { edges { cursor node { slug } } pageInfo { hasNextPage endCursor } totalCount }
  }`
  const seen: string[] = []
  let after: string | null = null
  for (let page = 0; page < 3; page++) {
    const {
      posts
    }: {
      posts: {
        edges: { cursor: string; node: { slug: string } }[]
        pageInfo: { hasNextPage: boolean; endCursor: string }
        totalCount: number
      }
    } = await ask(query, { after })
    seen.push(...posts.edges.map(edge => edge.node.slug))
    assert.equal(posts.totalCount, 5)
    assert.equal(posts.pageInfo.hasNextPage, page < 2)
    assert.equal(posts.pageInfo.endCursor, posts.edges.at(-1)?.cursor)
    after = posts.pageInfo.endCursor
    if (page === 0) {
      const rest = (await service.anonymous('GET', '/api/posts?limit=2')).body
      assert.equal(rest.next_cursor, after)
    }
  }
  assert.deepEqual(
    seen,
    [5, 4, 3, 2, 1].map(n => `tide-number-${n}`)
  )
})

test('a list is narrowed by category and by tag', async () => {
  const data = await ask(`{
    byCategory: posts(category: "ships") { totalCount edges { node { title } } }
    byTag: posts(tag: "moon", first: 1) { totalCount edges { node { title } } }
    none: posts(category: "nothing") { totalCount edges { cursor } pageInfo { hasNextPage endCursor } }
  }`)
  assert.deepEqual(data, {
    byCategory: { totalCount: 2, edges: [{ node: { title: 'Tide number 5' } }, { node: { title: 'Tide number 4' } }] },
    byTag: { totalCount: 3, edges: [{ node: { title: 'Tide number 5' } }] },
    none: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, endCursor: null } }
  })
})

test('a post is read by its slug, and is null when there is none', async () => {
  const { post, missing } = await ask(`{
    post(slug: "tide-number-1") {
      title content contentHtml category categoryDetails { slug name description postCount } tags tagDetails { slug name postCount }
    }
    missing: post(slug: "no-such-post") { title }
  }`)
  assert.equal(missing, null)
  assert.deepEqual(post, {
    title: 'Tide number 1',
    content: 'Text of Tide number 1.',
    contentHtml: '<p>Text of Tide number 1.</p>\n',
    category: 'harbours',
    categoryDetails: { slug: 'harbours', name: 'Harbours', description: '', postCount: 3 },
    tags: ['Sea Water', 'Moon'],
    tagDetails: [
      { slug: 'sea-water', name: 'Sea Water', postCount: 5 },
      { slug: 'moon', name: 'Moon', postCount: 3 }
    ]
  })
})

test('by a slug it had before, a post is found as it is now', async () => {
  const { items } = (await service.anonymous('GET', '/api/posts?tag=moon&limit=1')).body
  const { post_id, slug } = items[0]
  await service.bearer('PATCH', `/api/posts/${post_id}`, { slug: 'the-fifth-tide' })
  assert.deepEqual(await ask(`{ post(slug: "${slug}") { slug postId } }`), {
    post: { slug: 'the-fifth-tide', postId: post_id }
  })
  await service.bearer('PATCH', `/api/posts/${post_id}`, { slug })
})

test('categories and tags are those of REST, page by page', async () => {
  const data = await ask(
    '{ categories { slug name description postCount } tags(first: 1) { slug name postCount cursor } }'
  )
  assert.deepEqual(data.categories, [
    { slug: 'harbours', name: 'Harbours', description: '', postCount: 3 },
    { slug: 'ships', name: 'Ships', description: '', postCount: 2 }
  ])
  const { cursor, ...moon } = data.tags[0]
  assert.deepEqual(moon, { slug: 'moon', name: 'Moon', postCount: 3 })
  const { tags } = await ask('query Rest($after: String) { tags(after: $after) { slug postCount } }', { after: cursor })
  assert.deepEqual(tags, [{ slug: 'sea-water', postCount: 5 }])
})

test('search answers what REST answers, in the same order', async () => {
  const rest = (await service.anonymous('GET', '/api/posts/search?q=tide&limit=3')).body
  const query = `query Find($after: String) {
    search(q: "tide", first: 3, after: $after) { totalCount degraded pageInfo { hasNextPage endCursor } edges { score snippet node { slug } } }
  }`
  const { search } = await ask(query)
  assert.equal(search.totalCount, rest.total)
  assert.equal(search.degraded, false)
  assert.deepEqual(
    search.edges.map(({ score, snippet, node }: { score: number; snippet: string; node: { slug: string } }) => ({
      score,
      snippet,
      slug: node.slug
    })),
    rest.items.map(({ score, snippet, slug }: { score: number; snippet: string; slug: string }) => ({
      score,
      snippet,
      slug
    }))
  )
  assert.equal(search.pageInfo.hasNextPage, true)
  const next = (await ask(query, { after: search.pageInfo.endCursor })).search
  assert.equal(next.edges.length, 2)
  assert.equal(next.pageInfo.hasNextPage, false)
  const { body } = await service.anonymous('POST', '/graphql', {
    query: 'query Other($after: String) { search(q: "number", after: $after) { totalCount } }',
    variables: { after: search.pageInfo.endCursor }
  })
  assert.deepEqual(Object.keys(body.errors?.[0].extensions.errors ?? {}), ['search.after'])
})

test('the labels of what a search finds are counted when asked for, as REST counts them', async () => {
  const { facets } = (await service.anonymous('GET', '/api/posts/search?q=tide&facets=true')).body
  const counts = 'facets { category { value count } tag { value count } language { value count } year { value count } }'
  const { counted, not } = await ask(
    `{ counted: search(q: "tide", facets: true) { ${counts} } not: search(q: "tide") { ${counts} } }`
  )
  assert.deepEqual(counted.facets, facets)
  assert.equal(not.facets, null)
})

test('related posts are those of REST, by a slug the post has or had', async () => {
  const { items } = (await service.anonymous('GET', '/api/posts/tide-number-1/related?limit=3')).body
  const found = 'degraded items { score node { slug } }'
  const { related, none } = await ask(
    `{ related(slug: "tide-number-1", limit: 3) { ${found} } none: related(slug: "no-such-post") { degraded } }`
  )
  assert.equal(none, null)
  assert.equal(items.length, 3)
  const expected = items.map(({ score, slug }: { score: number; slug: string }) => ({ score, node: { slug } }))
  assert.deepEqual(related, { degraded: false, items: expected })
  const tooMany = await service.anonymous('POST', '/graphql', {
    query: '{ related(slug: "tide-number-1", limit: 101) { degraded } }'
  })
  assert.deepEqual(tooMany.body.errors[0].extensions.errors, { 'related.limit': 'must be 1 to 100' })
  const { post } = await ask('{ post(slug: "tide-number-1") { postId } }')
  await service.bearer('PATCH', `/api/posts/${post.postId}`, { slug: 'the-first-tide' })
  const moved = await ask(`{ related(slug: "tide-number-1", limit: 3) { ${found} } }`)
  await service.bearer('PATCH', `/api/posts/${post.postId}`, { slug: 'tide-number-1' })
  assert.equal(moved.related.items.length, 3)
})

test('a post that is not public is in no list, found by no slug and by no search', async () => {
  const { post_id } = await makePublicPost(service, {
    title: 'A secret lighthouse',
    category: 'Hidden',
    tags: ['Hidden']
  })
  const query = `{
    posts(first: 100) { edges { node { title content } } }
    post(slug: "a-secret-lighthouse") { title }
    search(q: "lighthouse") { totalCount edges { node { title } } }
    misspelt: search(q: "lihgthouse") { corrected { from to } }
    categories { slug } tags { slug }
  }`
  assert.match(JSON.stringify(await ask(query)), /secret lighthouse/)
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  const data = await ask(query)
  assert.equal(data.posts.edges.length, 5)
  assert.doesNotMatch(JSON.stringify(data), /lighthouse|hidden/i)
  assert.deepEqual(data.misspelt.corrected, [])
})

test('while the embedder is away, search and related posts say so', async () => {
  isDown = true
  const data = await ask('{ search(q: "number") { degraded totalCount } related(slug: "tide-number-2") { degraded } }')
  assert.deepEqual(data, { search: { degraded: true, totalCount: 5 }, related: { degraded: true } })
})
