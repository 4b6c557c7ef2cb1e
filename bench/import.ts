// An import of posts from Ghost's export, while the service runs: node bench/import.ts --server postgres://… [--posts 10000]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createPostgres } from '../cli/database/postgres/postgres.ts'
import { ghostExport, ghostPost } from '../test/plugins/import/exports.ts'
import { makeGalley, type Serving } from './galley.ts'
import { wordOf } from './seed-words.ts'
import { measured } from './target.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    posts: { type: 'string', default: '10000' }
  }
})
const count = Number(values.posts)
const vocabulary = 20_000
const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-bench-'))
const file = path.join(folder, 'ghost.json')
writeFileSync(
  file,
  ghostExport({ posts: Array.from({ length: count }, (_, n) => ghostPostOf(n)), tags: [], users: [] })
)

const galley = await makeGalley(values.server)
try {
  const serving = await galley.serve()
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  const report = JSON.parse(await galley.command('import', 'ghost', file, '--json'))
  const stored = secondsSince()
  if (report.published !== count) throw new Error(`Only ${report.published} of ${count} posts were published.`)
  await readLast(serving)
  const readable = secondsSince()
  await findLast(serving)
  const found = secondsSince()
  await followed()
  const row = (what: string, seconds: number, target: number) =>
    measured(what, (seconds * 10_000) / count, 's for 10,000', '<', target)
  console.table([
    row(`${count} posts readable`, readable, 60),
    row('of it until all are stored', stored, 60),
    row('until the last is found by search, too', found, 120),
    row('until every subscriber has followed', secondsSince(), 600)
  ])
  await serving.stop()
} finally {
  await galley.remove()
  rmSync(folder, { recursive: true })
}

/** As people write them: headings, links, a list, a quotation, code and a table; some 6.8 kB of HTML. */
function ghostPostOf(n: number) {
  let state = n + 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const words = (many: number) =>
    Array.from({ length: many }, () => wordOf(Math.floor(vocabulary ** random()) - 1)).join(' ')
  const paragraph = () =>
    `<p>${words(40)} <a href="https://example.org/${n}">${words(3)}</a>, <em>${words(2)}</em> <strong>${words(2)}</strong> ${words(20)}.</p>`
  const section = () =>
    `<h2>${words(5)}</h2>${paragraph()}${paragraph()}<ul><li>${words(6)}</li><li>${words(6)}</li></ul>`
  const html = `${paragraph()}${section()}${section()}<blockquote><p>${words(20)}</p></blockquote>${section()}<pre><code class="language-js">${words(20)}</code></pre><table><thead><tr><th>${words(1)}</th><th>${words(1)}</th></tr></thead><tbody><tr><td>${words(2)}</td><td>${words(2)}</td></tr></tbody></table><p>unique${n}</p>${section()}`
  return ghostPost({ id: `p${n}`, uuid: `u${n}`, slug: `post-${n}`, title: words(6), html })
}

async function readLast({ url }: Serving): Promise<void> {
  const { status } = await fetch(`${url}/api/posts/post-${count - 1}`)
  if (status !== 200) throw new Error(`The last post is not readable: ${status}.`)
}

/** The index follows. */
async function findLast({ url }: Serving): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/posts/search?q=unique${count - 1}`)
    const { total } = (await response.json()) as { total: number }
    if (total === 1) return
    await sleep(200)
  }
}

/** Until no event waits. */
async function followed(): Promise<void> {
  if (galley.databaseUrl === undefined) return
  const db = createPostgres({ url: galley.databaseUrl, max: 1 })
  try {
    for (;;) {
      const [row] = await db.query<{ waiting: number }>(
        "select count(*)::integer as waiting from jobs.job where state < 'completed' and name like '%posts.published%'"
      )
      if (row?.waiting === 0) return
      await sleep(500)
    }
  } finally {
    await db.close()
  }
}
