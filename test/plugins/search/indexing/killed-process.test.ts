import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '../../../helpers/until.ts'
import { type Harness, openPosts } from '../../posts/harness.ts'
import { textOfSubject } from '../latent/subjects.ts'

const posts = 320
const options = { skip: process.platform !== 'linux' }

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  const numbers = Array.from({ length: posts }, (_, n) => n)
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'post-' || n, 'Post', text, '', 'published', now() from unnest($1::int[], $2::text[]) as t (n, text)`,
    [numbers, numbers.map(n => `buoy${n} buoy ${textOfSubject(n, n % 2 === 0 ? 'sea' : 'town')}`.repeat(4))]
  )
})
after(() => harness.close())

/** The number of the process that this one has started for a module. */
function childOf(module: string): number | undefined {
  const isChild = (pid: string) => {
    try {
      const isOfModule = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(module)
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return isOfModule && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid
    } catch {
      return false
    }
  }
  const pid = readdirSync('/proc').find(name => /^\d+$/.test(name) && isChild(name))
  return pid === undefined ? undefined : Number(pid)
}

/** Kills the process of a module as soon as the work has started it. */
async function killDuring(module: string, work: Promise<void>): Promise<void> {
  const failed = assert.rejects(work, /not brought up to date: .*The next run goes on/)
  let pid: number | undefined
  await until(() => {
    pid = childOf(module)
    return pid !== undefined
  })
  process.kill(pid ?? 0, 'SIGKILL')
  await failed
}

const totalOf = async (q: string) => {
  await harness.touch()
  const { body } = await harness.app.inject(`/api/posts/search?q=${q}`)
  const { total, degraded } = JSON.parse(body) as { total: number; degraded?: boolean }
  return { total, degraded }
}
const whole = { total: posts, degraded: undefined }

test('an indexing process that is killed leaves its posts waiting for the next run', options, async () => {
  await killDuring('index-main', harness.index())
  assert.equal((await totalOf('buoy')).degraded, true)
  await harness.index()
  assert.deepEqual(await totalOf('buoy'), whole)
  assert.equal((await totalOf('buoy7')).total, 1)
})

test('a killed rebuild changes no answer, and goes on with the next run', options, async () => {
  await killDuring('index-main', harness.search.rebuild(new AbortController().signal))
  assert.deepEqual(await totalOf('buoy'), whole)
  await harness.index()
  const found = await harness.search.status()
  assert.deepEqual([found.rebuilding, found.waiting], [null, 0])
  assert.deepEqual(await totalOf('buoy'), whole)
})

test('a killed training begins anew', options, async () => {
  const models = () => harness.db.query<{ is_ready: boolean }>('select is_ready from search_models')
  await harness.db.script('delete from search_models')
  await killDuring('latent-main', harness.index())
  assert.deepEqual(await models(), [])
  await harness.index()
  assert.deepEqual(await models(), [{ is_ready: true }])
})
