// galley as one of the indexes that search-trial.ts measures: a real service, asked through `GET /api/posts/search`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../core/contract/database.ts'
import { makeGalley, type Serving } from './galley.ts'
import type { Rival } from './search-rivals.ts'
import type { TrialPost } from './trial-posts.ts'

const maxSecondsToIndex = 3600
// Every so many posts one carries a word of its own, by which it is seen to be found.
const markedEvery = 1000
const mark = (n: number) => `zzmark${n}k`

/** `serverUrl` undefined: on the embedded database. */
export async function makeGalleyRival(serverUrl: string | undefined): Promise<Rival> {
  const galley = await makeGalley(serverUrl)
  // One address sends all queries, and no two posts are alike.
  for (const key of ['rate_limit_search_per_minute', 'rate_limit_token_per_minute'])
    await galley.command('settings', 'set', key, '0')
  await galley.command('settings', 'set', 'create_post_dedup_threshold', '1')
  // Once it is needed: an hour later, when a million posts are indexed, it would have expired.
  let token: string | undefined
  const minted = async () => (token ??= (await galley.command('auth', 'mint-token')).trim())
  let serving: Serving | undefined
  let rows = 0
  const served = async () => (serving ??= await galley.serve())
  const stop = async () => {
    await serving?.stop()
    serving = undefined
  }
  const find = async (q: string) => {
    const { url } = await served()
    const response = await fetch(`${url}/api/posts/search?limit=10&q=${encodeURIComponent(q)}`)
    if (!response.ok) throw new Error(`${q}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { items: unknown[] }).items.length
  }
  const send = async (path: string, body?: object) => {
    const response = await fetch((await served()).url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await minted()}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
    return (await response.json()) as { post_id: string }
  }
  return {
    async store(posts) {
      await galley.database(db => insertPosts(db, posts, rows))
      rows += posts.length
    },
    // All at once, by `finish`.
    async add() {},
    async finish(count) {
      await galley.command('search', 'update')
      const deadline = Date.now() + maxSecondsToIndex * 1000
      for (let n = 0; n < count; n += markedEvery) {
        while ((await find(mark(n))) === 0) {
          if (Date.now() > deadline) throw new Error(`The post of ${mark(n)} is not found.`)
          await sleep(100)
        }
      }
    },
    search: ({ words, match }) => find(match === 'phrase' ? `"${words.join(' ')}"` : words.join(' ')),
    async indexBytes() {
      await stop()
      return galley.database(indexBytes)
    },
    pids: () => (serving === undefined ? [] : [serving.pid]),
    async publish({ title, text }) {
      const { post_id } = await send('/api/posts', { title, content: text })
      await send(`/api/posts/${post_id}/submit`)
      await send(`/api/posts/${post_id}/publish`)
    },
    async close() {
      await stop()
      await galley.remove()
    }
  }
}

async function insertPosts(db: Db, posts: readonly TrialPost[], first: number): Promise<void> {
  const marked = posts.map(({ text }, at) => ((first + at) % markedEvery === 0 ? `${text} ${mark(first + at)}` : text))
  await db.query(
    `insert into posts (slug, title, excerpt, content, content_html, status, published_at, approved_at, word_count, created_at)
     select 'trial-' || n, title, '', text, '<p>' || text || '</p>', 'published',
       date_trunc('milliseconds', now()) - n * interval '1 minute', now(), 700, now()
     from unnest($1::int[], $2::text[], $3::text[]) as t (n, title, text)`,
    [posts.map((_, at) => first + at), posts.map(each => each.title), marked]
  )
}

/** The plugin's own tables. */
async function indexBytes(db: Db): Promise<number> {
  const [tables] = await db.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
     where relkind = 'r' and relname ~ '^(search_|post_titles|post_words)'`
  )
  return tables?.bytes ?? 0
}
