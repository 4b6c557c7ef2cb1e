// The list of episodes and the podcast feed, with 10,000 posts that have audio: from the response cache, and without it.
//   node bench/episodes.ts [--posts 10000] [--seconds 3]        needs wrk
import { parseArgs } from 'node:util'
import { makeGalley, type Serving } from './galley.ts'
import { seedPosts } from './seed.ts'
import { residentMb, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: { posts: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '3' } }
})
const extensions = ['mp3', 'vtt', 'srt', 'json', 'chapters.json']
const addresses = ['/episodes', '/episodes?limit=100&offset=5000', '/podcast.xml']

const galley = await makeGalley(undefined)
try {
  await makeEpisodes(Number(values.posts))
  await measureAll('cached')
  await galley.command('settings', 'set', 'http_cache_mb', '0')
  await measureAll('not cached')
} finally {
  await galley.remove()
}

async function makeEpisodes(count: number): Promise<void> {
  await galley.database(async db => {
    await seedPosts(db, count)
    await db.query(`update posts set media = '{podcast}', media_state = 'done'`)
    for (const extension of extensions)
      await db.query(
        `insert into media_files (post_id, extension, kind, hash, key, bytes, duration_ms)
         select post_id, $1, 'podcast', 'x', 'episodes/' || md5(post_id::text) || '.mp3', 5000000, 600000 from posts`,
        [extension]
      )
    await db.script('analyze posts; analyze media_files')
  })
}

async function measureAll(how: string): Promise<void> {
  const serving = await galley.serve()
  try {
    const rows = []
    for (const address of addresses) rows.push(await measure(serving, address))
    console.log(how)
    console.table(rows)
  } finally {
    await serving.stop()
  }
}

async function measure(serving: Serving, address: string) {
  const { perSecond } = await wrk(serving.url + address, { seconds: Number(values.seconds), connections: 8 })
  return { address, 'per second': Math.round(perSecond), 'resident MB': residentMb(serving.pid) }
}
