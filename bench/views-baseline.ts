// Bare Fastify that takes a view and drops it. What the counter of views is held against.
import fastify from 'fastify'

const app = fastify()
const schema = {
  body: {
    type: 'object',
    required: ['slug'],
    properties: { slug: { type: 'string', maxLength: 80 }, referrer: { type: 'string', maxLength: 2000 } }
  }
}
app.post('/api/analytics/view', { schema }, (_request, reply) => reply.code(204).send())

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
