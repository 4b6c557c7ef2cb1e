// Plain Fastify and pg: a verified delivery is one inserted row. What the inbox is held against.
import { createHash, createHmac } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'

const [, , connectionString, secret = ''] = process.argv
const pool = new pg.Pool({ connectionString, max: 10 })
await pool.query('create table plain_inbox (event_id text primary key, payload jsonb not null)')
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post('/api/webhooks/payments-provider', async (request, reply) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (createHmac('sha256', secret).update(body).digest('hex') !== request.headers['x-signature'])
    return reply.code(401).send()
  const { rowCount } = await pool.query({
    name: 'insert',
    text: 'insert into plain_inbox (event_id, payload) values ($1, $2) on conflict do nothing',
    values: [createHash('sha256').update(body).digest('hex'), body.toString('utf8')]
  })
  return reply.code(202).send({ accepted: true, duplicate: rowCount === 0 })
})

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
