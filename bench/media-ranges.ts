// Ranges of 64 kB of episodes, by galley and by nginx in turn: from memory and from disk.
//   node bench/media-ranges.ts [--rounds 3] [--seconds 3]        needs wrk and nginx
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley, type Serving } from './galley.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured } from './target.ts'
import { alternate, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } }
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const episodeBytes = 5_000_000
const rangeBytes = 65_536
/** The first fit into the memory of galley, all of them do not. */
const groups = { 'from memory': 8, 'from disk': 100 }
const nginxPort = 18_080

const galley = await makeGalley(undefined)
try {
  const ids = await makeEpisodes()
  const serving = await galley.serve()
  const nginx = await startNginx()
  try {
    const rows: Measured[] = []
    for (const [name, count] of Object.entries(groups)) rows.push(await compare(serving, ids.slice(0, count), name))
    console.table(rows)
  } finally {
    nginx.kill()
    await serving.stop()
  }
} finally {
  await galley.remove()
}

async function makeEpisodes(): Promise<string[]> {
  const folder = path.join(galley.home, 'media', 'episodes')
  mkdirSync(folder, { recursive: true })
  return galley.database(async db => {
    await seedPosts(db, 100)
    const rows = await db.query<{ post_id: string }>('select post_id from public_posts order by post_id')
    for (const { post_id } of rows)
      writeFileSync(path.join(folder, `${post_id}.mp3`), Buffer.alloc(episodeBytes, post_id))
    return rows.map(({ post_id }) => post_id)
  })
}

/** As Debian ships it, with the settings that its documentation advises for large files. */
async function startNginx() {
  const folder = path.join(galley.home, 'nginx')
  mkdirSync(folder)
  const config = path.join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; user root;
     events { worker_connections 512; }
     http { access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000;
       types { audio/mpeg mp3; }
       server { listen 127.0.0.1:${nginxPort}; root ${path.join(galley.home, 'media')}; } }`
  )
  const nginx = spawn('nginx', ['-c', config, '-p', folder, '-e', path.join(folder, 'error.log')], { stdio: 'ignore' })
  await Promise.race([
    once(nginx, 'spawn').then(() => sleep(500)),
    once(nginx, 'error').then(([error]) => Promise.reject(error))
  ])
  return nginx
}

async function compare(serving: Serving, ids: readonly string[], name: string): Promise<Measured> {
  const script = path.join(galley.home, 'ranges.lua')
  writeFileSync(
    script,
    `local ids = {${ids.map(id => `"${id}"`).join(',')}}
     request = function()
       local start = math.random(0, ${episodeBytes - rangeBytes})
       wrk.headers["Range"] = "bytes=" .. start .. "-" .. start + ${rangeBytes - 1}
       return wrk.format("GET", "/episodes/" .. ids[math.random(#ids)] .. ".mp3")
     end`
  )
  const run = (url: string) => wrk(url, { seconds, script, connections: 8 })
  const urls = [serving.url, `http://127.0.0.1:${nginxPort}`] as const
  // What is asked for often gets into memory within a second or so.
  for (const url of urls) await run(url)
  const row = await alternate(
    rounds,
    () => run(urls[0]),
    () => run(urls[1])
  )
  console.log(name, row)
  const limit = name === 'from memory' ? 0.8 : 0.3
  return measured(`64 kB ranges ${name}, galley against nginx`, Number(row.ratio), 'times', '≥', limit)
}
