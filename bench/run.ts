// Every measurement, one after the other: npm run bench [-- --server postgres://…]; the server may stand in TEST_DATABASE_URL.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { server: { type: 'string', default: process.env.TEST_DATABASE_URL } } })
const { server } = values
const root = new URL('..', import.meta.url).pathname
const onServer = server === undefined ? [] : ['--server', server]
const short = ['--rounds', '2', '--seconds', '2']

// Sources younger than the build would run uncompiled, which starts later and takes more memory.
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.versions.node}`)
await measure('start.ts', onServer)
await measure('plugins.ts')
await measure('tokens.ts')
await measure('reads.ts', short)
if (server !== undefined) await measure('reads.ts', [...onServer, ...short])
if (server !== undefined) await measure('search-posts.ts', onServer)
await measure('graphql.ts', [...onServer, ...short])
await measure('tasks.ts')
await measure('media.ts')
await measure('media-reads.ts')
await measure('export.ts', [], ['--no-memory-reducer'])
if (server !== undefined) await measure('export-changes.ts', onServer)
if (server !== undefined) await measure('import.ts', onServer)
await measure('jobs.ts')
if (server !== undefined) await measure('publish.ts', onServer)
await measure('webhooks.ts', onServer)
await measure('newsletter.ts', onServer)
if (server !== undefined) await measure('newsletter-killed.ts', [...onServer, '--subscribers', '2000', '--kills', '5'])
if (server !== undefined) await measure('analytics.ts', [...onServer, ...short])
if (server !== undefined) await measure('costs.ts', onServer)
await measure('search-memory.ts', ['--rows', '5000'])
if (server !== undefined) await measure('search-memory.ts', onServer)

async function measure(file: string, args: readonly string[] = [], flags: readonly string[] = []): Promise<void> {
  console.log(`\n# ${file} ${args.join(' ')}`)
  const env = { ...process.env, ...(server === undefined ? {} : { TEST_DATABASE_URL: server }) }
  const program = new URL(file, import.meta.url).pathname
  const child = spawn(process.execPath, [...flags, program, ...args], { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exitCode = 1
}
