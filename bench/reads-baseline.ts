// A bare Fastify that sends the bytes of the URLs it is given, at the same paths: what the service is held against.
import fastify from 'fastify'

const app = fastify()
for (const url of process.argv.slice(2)) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  const body = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type') ?? 'application/octet-stream'
  app.get(new URL(url).pathname, (_request, reply) => {
    reply.type(type).send(body)
  })
}
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
