// GraphQL lists of a real service with 10,000 posts: requests a second, and statements a query.
//   node bench/graphql.ts [--server postgres://…] [--rounds 3] [--seconds 3] [--posts 10000]
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Galley, makeGalley } from './galley.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured } from './target.ts'
import { median, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '10000' }
  }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const where = values.server === undefined ? 'embedded' : 'PostgreSQL'
/** Directus's REST list of the same posts on such a machine, requests a second. */
const directus = 280

const item = 'slug title excerpt publishedAt category tags'
const details = 'categoryDetails { slug name } tagDetails { slug name }'
const listQuery = (fields: string) =>
  `query L($n: Int!) { posts(first: $n) { totalCount pageInfo { hasNextPage endCursor } edges { node { ${fields} } } } }`

const galley = await makeGalley(values.server)
try {
  await galley.database(db => seedPosts(db, Number(values.posts)))
  console.table(await lists(galley))
} finally {
  await galley.remove()
}

async function lists(galley: Galley): Promise<Measured[]> {
  const serving = await galley.serve()
  await new Promise(resolve => setTimeout(resolve, 2000))
  const rows: Measured[] = []
  const queries = { 'slugs and names': item, 'their own objects': `${item} ${details}` }
  for (const [kind, fields] of Object.entries(queries)) {
    const query = listQuery(fields)
    const script = path.join(galley.home, 'graphql.lua')
    const body = JSON.stringify({ query, variables: { n: 10 } })
    writeFileSync(
      script,
      `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = [==[${body}]==]\n`
    )
    await check(serving.url, body)
    const runs = []
    for (let round = 0; round < rounds; round++)
      runs.push(await wrk(`${serving.url}/graphql`, { seconds, script, pid: serving.pid }))
    const perSecond = Math.round(median(runs.map(run => run.perSecond)))
    const micros = Math.round(median(runs.map(run => run.cpuMicros ?? 0)))
    console.log(`${where}: ${kind}: ${perSecond} a second, ${micros} µs of CPU time each`)
    rows.push(
      measured(`GraphQL list of 10, category and tags as ${kind}, ${where}`, perSecond, 'a second', '≥', 3 * directus)
    )
  }
  await serving.stop()
  return rows
}

async function check(url: string, body: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body
  })
  const answer = (await response.json()) as { data?: { posts: { edges: unknown[] } }; errors?: unknown }
  if (answer.errors !== undefined || answer.data?.posts.edges.length !== 10)
    throw new Error(`The list is not answered: ${JSON.stringify(answer).slice(0, 500)}`)
}
