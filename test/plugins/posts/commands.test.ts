import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Command, Terminal } from '#core'
import { loadPostGroup } from '../../../plugins/posts/commands/posts.ts'
import { type Harness, makePost, openPosts } from './harness.ts'

let harness: Harness
let commands: Record<string, Command<never, never>>
const folder = mkdtempSync(join(tmpdir(), 'galley-posts-'))
before(async () => {
  harness = await openPosts()
  commands = (await loadPostGroup(harness.parts)) as unknown as typeof commands
})
after(async () => {
  rmSync(folder, { recursive: true })
  await harness.close()
})

/** Runs a command with its arguments as the command line hands them over; answers its result. */
async function run(
  name: string,
  args: Record<string, unknown> = {},
  stdin = ''
): Promise<Record<string, unknown> & { items: { slug: string }[] }> {
  const definition = commands[name]
  assert.ok(definition)
  const defaults = Object.fromEntries(
    Object.entries(definition.args as Record<string, { default?: unknown; type: string }>).map(([key, arg]) => [
      key,
      arg.default ?? (arg.type === 'boolean' ? false : undefined)
    ])
  )
  const terminal = {
    cwd: folder,
    isInteractive: false,
    note: () => {},
    readStdin: async () => stdin
  } as unknown as Terminal
  const context = { args: { ...defaults, ...args }, isJson: true, terminal, actor: 'operator' }
  const result = (await definition.run(context as never)) as never
  assert.equal(typeof definition.text(result, terminal, context.args as never), 'string')
  return result
}

test('a post is made from stdin or a file and goes its way', async () => {
  const made = await run('create', { niche: 'gardens', media: 'podcast,short' }, '# Soil\n\nSoil lives.')
  assert.deepEqual([made.title, made.status, made.created], ['Soil', 'draft', true])
  assert.deepEqual(made.metadata, { media_to_generate: ['podcast', 'video_short'], niche_slug: 'gardens' })
  assert.match(String(made.preview_url), /^http:\/\/localhost:8000\/preview\/[\w-]{70}$/)
  assert.equal((await run('create', {}, '# Soil\n\nSoil lives.')).created, false)
  const post_id = String(made.post_id).slice(0, 8)
  assert.equal((await run('publish', { post_id })).status, 'published')
  assert.equal((await run('retitle', { post_id, title: ' Living  soil ' })).title, 'Living soil')
  assert.equal((await run('get', { slug: post_id })).title, 'Living soil')
  assert.equal((await run('search', { query: 'soil' })).total, 1)
  assert.deepEqual(await run('unpublish', { post_id }), { post_id: made.post_id, unpublished: true, status: 'draft' })
  assert.equal((await run('archive', { post_id })).status, 'archived')
  writeFileSync(join(folder, 'moss.md'), '# Moss\n\nMoss is old.')
  const moss = await run('create', {
    'from-file': 'moss.md',
    status: 'awaiting_approval',
    slug: 'moss',
    excerpt: 'Old moss.'
  })
  assert.deepEqual([moss.slug, moss.status, moss.excerpt], ['moss', 'awaiting_approval', 'Old moss.'])
  const list = await run('list', { status: 'awaiting_approval' })
  assert.deepEqual([list.items.map(post => post.slug), list.total], [['moss'], 1])
})

test('what cannot be read or made is refused and makes nothing', async () => {
  const before = (await run('list')).total
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00]))
  writeFileSync(join(folder, 'large'), 'x'.repeat(1024 * 1024 + 1))
  const refused: [string, Record<string, unknown>, string?][] = [
    ['create', {}],
    ['create', {}, 'no title here'],
    ['create', { title: 'T' }, 'a\0b'],
    ['create', { title: 'T\ud800' }, 'body'],
    ['create', { title: 'T', media: 'podcast,film' }, 'body'],
    ['create', { title: 'T', 'from-file': 'absent' }],
    ['create', { title: 'T', 'from-file': 'binary' }],
    ['create', { title: 'T', 'from-file': 'large' }],
    ['create', { title: 'T', 'from-file': '.' }],
    // Without an end: read unbounded it would fill the memory of the server that runs the command.
    ['create', { title: 'T', 'from-file': '/dev/zero' }],
    ['search', { query: ' ' }],
    ['publish', { post_id: 'short' }]
  ]
  for (const [name, args, stdin] of refused) {
    await assert.rejects(run(name, args, stdin), { code: 'VALIDATION_ERROR' }, JSON.stringify([name, args]))
  }
  for (const [query, fault] of [
    [' ', 'must not be blank'],
    ['🚀'.repeat(501), 'must have at most 500 characters; it has 501']
  ] as const) {
    await assert.rejects(run('search', { query }), { fields: { query: fault } })
  }
  const post_id = await makePost(harness)
  await assert.rejects(run('retitle', { post_id, title: ' ' }), { code: 'VALIDATION_ERROR' })
  await assert.rejects(run('get', { slug: 'nothing-here' }), { code: 'NOT_FOUND' })
  assert.equal((await run('list')).total, Number(before) + 1)
})
