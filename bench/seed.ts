// Fills a database with posts of about 6 KB of markdown in 20 categories with 200 tags, as the measurements' peers had.
import type { Db } from '../core/contract/database.ts'

const paragraph =
  'The harbour master keeps a book of every ship that passes the mole, and the book is older than the mole itself. '

/** Inserts published posts, a minute apart, the newest just now. */
export async function seedPosts(db: Db, count: number): Promise<void> {
  await db.query(
    "insert into categories (slug, name) select 'category-' || n, 'Category ' || n from generate_series(0, 19) as n on conflict do nothing"
  )
  const batch = 1000
  for (let first = 0; first < count; first += batch) {
    await db.query(
      `insert into posts (slug, title, excerpt, content, content_html, status, category, tags, tag_slugs, published_at, approved_at, word_count, created_at)
       select 'post-' || n, 'Post ' || n || ' of the harbour', 'What the harbour master wrote on page ' || n || '.',
         repeat($3, 54) || n, '<p>' || repeat($3, 54) || n || '</p>', 'published', 'category-' || n % 20,
         array['Tag ' || n % 200, 'Tag ' || (n + 7) % 200], array['tag-' || n % 200, 'tag-' || (n + 7) % 200],
         date_trunc('milliseconds', now()) - n * interval '1 minute', now(), 1000, now() - n * interval '1 minute'
       from generate_series($1::int, $2::int) as n`,
      [first, Math.min(first + batch, count) - 1, paragraph]
    )
  }
  // PGlite has no autovacuum: without statistics the planner guesses.
  await db.script('analyze posts')
}
