// Plain Fastify and pg: the ten best of all matches by ts_rank, as many services have it.
import fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const app = fastify()

app.get('/api/posts/search', async request => {
  const { q } = request.query as { q: string }
  const text = `select post_id, slug, title, excerpt, status, category, tags, published_at, word_count, created_at, updated_at,
      ts_rank(search, query) as score
    from posts, websearch_to_tsquery('english', $1) query where search @@ query and status = 'published'
    order by score desc, published_at desc limit 10`
  const { rows } = await pool.query({ name: 'search', text, values: [q] })
  return { items: rows }
})

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
