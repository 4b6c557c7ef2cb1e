// How soon a front end is notified of a publication, and how many requests a burst of edits makes: node bench/revalidation.ts
//   [--server postgres://…] [--posts 100]. The front end is a bare server of this process.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley } from './galley.ts'
import { type Measured, measured, quantile } from './target.ts'

const { values } = parseArgs({ options: { server: { type: 'string' }, posts: { type: 'string', default: '100' } } })
const posts = Number(values.posts)
const burst = 500

/** When each path was told last, and how many requests there were. */
const notifiedAt = new Map<string, number>()
let requests = 0
const frontEnd = createServer(async (request, response) => {
  const at = performance.now()
  let body = ''
  for await (const piece of request) body += piece
  requests += 1
  for (const path of JSON.parse(body).paths as string[]) notifiedAt.set(path, at)
  response.end()
})
frontEnd.listen(0, '127.0.0.1')
await once(frontEnd, 'listening')

const galley = await makeGalley(values.server)
const rows: Measured[] = []
try {
  const url = `http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}/revalidate`
  await galley.command('settings', 'set', 'revalidate_url', url)
  await galley.command('settings', 'set', 'create_post_dedup_threshold', '1')
  const serving = await galley.serve()
  const token = (await galley.command('auth', 'mint-token')).trim()
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(serving.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { post_id: string; slug: string }
  }
  rows.push(...(await measurePublications(send)), await measureBurst(send))
  await serving.stop()
} finally {
  await galley.remove()
  frontEnd.close()
}
console.table(rows)

type Send = (method: string, path: string, body?: object) => Promise<{ post_id: string; slug: string }>

/** From the answer that says it is public to the request that tells of it, one after the other. */
async function measurePublications(send: Send): Promise<Measured[]> {
  const delays: number[] = []
  for (let n = 0; n < posts; n++) {
    const title = `The harbour of bench ${n}`
    const { post_id, slug } = await send('POST', '/api/posts', { title, content: `Ship number ${n} came in.` })
    await send('POST', `/api/posts/${post_id}/submit`)
    await send('POST', `/api/posts/${post_id}/publish`)
    const publicAt = performance.now()
    const path = `/posts/${slug}`
    await waitUntil(() => notifiedAt.has(path))
    delays.push(Math.max(0, (notifiedAt.get(path) ?? 0) - publicAt))
    // Beyond the pause in which changes are gathered.
    await sleep(300)
  }
  return [
    measured('a publication is told, p50', quantile(delays, 0.5), 'ms', '<', 1000),
    measured('a publication is told, p99', quantile(delays, 0.99), 'ms', '<', 1000)
  ]
}

/** Edits of one post as fast as one client can: the path is told last after the last edit. */
async function measureBurst(send: Send): Promise<Measured> {
  const { post_id, slug } = await send('POST', '/api/posts', { title: 'Edited often', content: 'First.' })
  await send('POST', `/api/posts/${post_id}/submit`)
  await send('POST', `/api/posts/${post_id}/publish`)
  const before = requests
  for (let n = 0; n < burst; n++) await send('PATCH', `/api/posts/${post_id}`, { excerpt: `Edit ${n}` })
  const editedAt = performance.now()
  await waitUntil(() => performance.now() - Math.max(editedAt, notifiedAt.get(`/posts/${slug}`) ?? 0) > 2000)
  return measured(`requests for ${burst} edits of one post in turn`, requests - before, '', '<', burst)
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  const begun = performance.now()
  while (!isSo()) {
    if (performance.now() - begun > 30_000) throw new Error('The front end was not told within 30 s.')
    await sleep(2)
  }
}
