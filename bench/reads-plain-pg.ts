// Plain Fastify and pg with prepared statements: what a cold read is held against. It sends the rows as they come.
import fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const app = fastify()

const columns = `post_id, slug, title, excerpt, status, category, tags, seo_title, seo_description, seo_keywords, featured_image_url, language, author,
  published_at, word_count, created_at, updated_at`

app.get('/api/posts/:slug', async request => {
  const { slug } = request.params as { slug: string }
  const { rows } = await pool.query({
    name: 'one',
    text: `select ${columns}, content, content_html from public_posts where slug = $1`,
    values: [slug]
  })
  return rows[0]
})

app.get('/api/posts', async request => {
  const { limit, offset } = request.query as { limit: string; offset: string }
  const text = `select ${columns} from public_posts order by published_at desc, post_id desc limit $1 offset $2`
  const { rows } = await pool.query({ name: 'list', text, values: [limit, offset] })
  return { items: rows }
})

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
