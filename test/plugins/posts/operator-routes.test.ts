import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

const drafted = async (title: string): Promise<{ post_id: string; slug: string }> => {
  const { status, body } = await service.bearer('POST', '/api/posts', { content: `# ${title}\n\nAbout ${title}.` })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('a post is made over REST as by the command', async () => {
  const content = '# Tide mills\n\nMills that the tide turns.'
  const sent = { content, category: 'Old Trades', tags: ['Sea', 'Mills'], niche_slug: 'coast', slug: 'tide-mills' }
  const { status, body, headers } = await service.bearer('POST', '/api/posts', sent)
  assert.equal(status, 201)
  assert.equal(headers.get('location'), `/api/posts/${body.post_id}`)
  assert.deepEqual(
    [body.title, body.slug, body.status, body.category, body.tags, body.niche_slug],
    ['Tide mills', 'tide-mills', 'draft', 'old-trades', ['Sea', 'Mills'], 'coast']
  )
  const preview = await service.anonymous('GET', new URL(body.preview_url).pathname)
  assert.equal(preview.status, 200)
  const again = await service.bearer('POST', '/api/posts', sent)
  assert.deepEqual([again.status, again.body.post_id], [200, body.post_id])
  const other = await service.bearer('POST', '/api/posts', { ...sent, content: '# Another\n\nText.' })
  assert.deepEqual([other.status, other.body.error_code], [409, 'CONFLICT'])
  const waiting = await service.bearer('POST', '/api/posts', {
    content: '# Weirs\n\nText.',
    status: 'awaiting_approval'
  })
  assert.equal(waiting.body.status, 'awaiting_approval')
  for (const [wrong, field] of [
    [{}, 'content'],
    [{ content: '   ' }, 'content'],
    [{ content: 'No heading.' }, 'title'],
    [{ content, slug: 'search' }, 'slug'],
    [{ content, status: 'published' }, 'status'],
    [{ content, media: ['film'] }, 'media.0']
  ] as const) {
    const refused = await service.bearer('POST', '/api/posts', wrong)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, [field]], JSON.stringify(wrong))
  }
})

test('a draft is handed in and published over REST', async () => {
  const { post_id, slug } = await drafted('Harbour lights')
  const submitted = await service.bearer('POST', `/api/posts/${post_id.slice(0, 8)}/submit`)
  assert.deepEqual([submitted.status, submitted.body.status], [200, 'awaiting_approval'])
  assert.equal((await service.anonymous('POST', `/api/posts/${post_id}/publish`)).status, 401)
  const published = await service.bearer('POST', `/api/posts/${post_id}/publish`)
  assert.deepEqual([published.status, published.body.status], [200, 'published'])
  assert.equal((await service.anonymous('GET', `/api/posts/${slug}`)).status, 200)
  assert.equal((await service.bearer('POST', `/api/posts/${post_id}/submit`)).status, 409)
})

test('a post of any status is read by its id with a token, and by nobody else', async () => {
  const { post_id } = await drafted('Unfinished piers')
  for (const id of [post_id, post_id.slice(0, 8)]) {
    const { status, body } = await service.bearer('GET', `/api/posts/${id}`)
    assert.deepEqual([status, body.post_id, body.status], [200, post_id, 'draft'])
    assert.equal((await service.anonymous('GET', `/api/posts/${id}`)).status, 404)
  }
  for (const id of ['feedfeed', 'feed-bead', 'no-such-post', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await service.bearer('GET', `/api/posts/${id}`)).status, 404, id)
})

test('a category is named and described, and readers see it', async () => {
  const { post_id } = await drafted('Canal locks')
  await service.bearer('PATCH', `/api/posts/${post_id}`, { category: 'inland-water' })
  await service.bearer('POST', `/api/posts/${post_id}/publish`)
  const before = (await service.anonymous('GET', '/api/categories/inland-water')).body
  assert.deepEqual([before.name, before.description], ['Inland water', ''])
  const put = await service.bearer('PUT', '/api/categories/inland-water', {
    name: 'Rivers and canals',
    description: 'Boats without the sea.'
  })
  assert.deepEqual(put.body, {
    slug: 'inland-water',
    name: 'Rivers and canals',
    description: 'Boats without the sea.',
    post_count: 1
  })
  const renamed = await service.bearer('PUT', '/api/categories/inland-water', { name: 'Rivers' })
  assert.equal(renamed.body.description, 'Boats without the sea.')
  const { items } = (await service.anonymous('GET', '/api/categories')).body
  assert.equal(items.find(({ slug }: { slug: string }) => slug === 'inland-water').name, 'Rivers')
  const listed = await runCommand(service.kernel, 'categories', 'list', '--json')
  assert.equal(JSON.parse(listed.out).items[0].name, 'Rivers')
  const said = await runCommand(service.kernel, 'categories', 'describe', 'inland-water', '--name', 'Canals', '--json')
  assert.equal(JSON.parse(said.out).name, 'Canals')
  const mistyped = await runCommand(service.kernel, 'categories', 'describe', 'inland-watre', '--name', 'Canals')
  assert.deepEqual([mistyped.status, mistyped.out], [1, ''])
  assert.match(mistyped.err, /There is no category inland-watre: "galley categories list"/)
  assert.equal((await service.bearer('PUT', '/api/categories/Not_A_Slug', { name: 'x' })).status, 400)
  assert.equal((await service.anonymous('PUT', '/api/categories/inland-water', { name: 'x' })).status, 401)
})

test('a refused post is answered in the words of its door: fields over REST, flags in the terminal', async () => {
  const { post_id } = await drafted('How salt marshes grow')
  await service.bearer('POST', `/api/posts/${post_id}/publish`)
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-doors-'))
  const file = path.join(folder, 'post.md')
  try {
    for (const [content, inRest, inTerminal] of [
      ['No heading.', /send the field title\.$/, /use --title/],
      ['# How salt marshes grow\n\nOnce more.', /send "force": true\.$/, /use --force/]
    ] as const) {
      const { message } = (await service.bearer('POST', '/api/posts', { content })).body
      assert.match(message, inRest)
      assert.doesNotMatch(message, /--/)
      writeFileSync(file, content)
      assert.match((await runCommand(service.kernel, 'posts', 'create', '--from-file', file)).err, inTerminal)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the name of the publication is one line that readers see', async () => {
  for (const value of ['', '  ', 'The\nTides', 'The\tTides'])
    assert.equal(
      (await service.bearer('PUT', '/api/settings/site_title', { value })).status,
      400,
      JSON.stringify(value)
    )
  const { body } = await service.bearer('PUT', '/api/settings/site_title', { value: 'The Tides' })
  assert.equal(body.value, 'The Tides')
})
