// Ranges of 64 kB of episodes, by galley, by nginx and by bare node:http in turn: from memory and from disk.
//   node bench/media-ranges.ts [--rounds 3] [--seconds 3]        needs wrk and nginx
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley } from './galley.ts'
import { startPeer } from './peer.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured } from './target.ts'
import { alternate, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const episodeBytes = 5_000_000
const rangeBytes = 65_536
/** The first fit into the memory of galley, all of them do not. */
const groups = { 'from memory': 8, 'from disk': 100 }
const limits = { 'from memory': 0.8, 'from disk': 0.3 }
const nginxPort = await freePort()

interface Side {
  name: string
  url: string
  pid: number | undefined
}

const galley = await makeGalley(undefined)
try {
  const ids = await makeEpisodes()
  const serving = await galley.serve()
  const nginx = await startNginx()
  const baseline = await startPeer('./ranges-baseline.ts', [String(episodeBytes)])
  try {
    // After 30 s its worker looks at everything for the first time, and the new posts are indexed.
    await sleep(45_000)
    const sides = {
      galley: { name: 'galley', ...serving },
      nginx: { name: 'nginx', url: `http://127.0.0.1:${nginxPort}`, pid: nginx.pid },
      baseline: { name: 'bare node:http', url: baseline.url, pid: baseline.child.pid }
    }
    const { galley: ours, nginx: theirs } = sides
    console.table([
      ...(await compare([ours, theirs, sides.baseline], ids.slice(0, groups['from memory']), 'from memory')),
      ...(await compare([ours, theirs], ids.slice(0, groups['from disk']), 'from disk'))
    ])
  } finally {
    baseline.child.kill()
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
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; user root;
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function compare(sides: readonly Side[], ids: readonly string[], name: keyof typeof groups): Promise<Measured[]> {
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
  const run = ({ url, pid }: Side) => wrk(url, { seconds, script, connections: 8, pid })
  // What is asked for often gets into memory within a second or so.
  for (const side of sides) await run(side)
  const [ours, ...others] = sides as [Side, ...Side[]]
  const rows: Measured[] = []
  for (const other of others) {
    const row = await alternate(
      rounds,
      () => run(ours),
      () => run(other)
    )
    console.log(name, other.name, row)
    for (const key of ['ratio', 'ratio by CPU'] as const)
      rows.push(
        measured(
          `64 kB ranges ${name}, galley against ${other.name}, ${key}`,
          Number(row[key]),
          'times',
          '≥',
          limits[name]
        )
      )
  }
  return rows
}
