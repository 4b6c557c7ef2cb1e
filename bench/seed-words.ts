// Posts of about 6 KB whose words are as unevenly spread as those of a language: few are in most posts, most in few.
import type { Db } from '../core/contract/database.ts'

const vocabulary = 20_000
const wordsOfPost = 900

/** The same numbers at every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const syllables = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'je',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'va',
  'we',
  'xi',
  'yo',
  'zu'
]

/** The word of a rank: of the first, every post has several. */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 400; rest > 0; rest = Math.floor(rest / 20)) word += syllables[rest % 20]
  return `${word}k`
}

export async function seedVariedPosts(db: Db, count: number): Promise<void> {
  const random = createRandom(7)
  const word = () => wordOf(Math.floor(vocabulary ** random()) - 1)
  const words = (many: number) => Array.from({ length: many }, word).join(' ')
  for (let first = 0; first < count; first += 100) {
    const many = Math.min(100, count - first)
    const titles = Array.from({ length: many }, () => words(6))
    const texts = Array.from(
      { length: many },
      () => `${words(wordsOfPost / 2)}\n\n## ${words(4)}\n\n${words(wordsOfPost / 2)}`
    )
    await db.query(
      `insert into posts (slug, title, excerpt, content, content_html, status, published_at, approved_at, word_count, created_at)
       select 'varied-' || n, title, '', text, '<p>' || text || '</p>', 'published',
         date_trunc('milliseconds', now()) - n * interval '1 minute', now(), $4, now()
       from unnest($1::int[], $2::text[], $3::text[]) as t (n, title, text)`,
      [titles.map((_, at) => first + at), titles, texts, wordsOfPost]
    )
  }
  await db.script('analyze posts')
}

/** What a plain server searches by: title A, headings B, text D. */
export async function addTextVectors(db: Db): Promise<void> {
  await db.script(`
    alter table posts add column search tsvector, add column search_words integer;
    update posts set search = setweight(to_tsvector('english', title), 'A')
      || setweight(to_tsvector('english', coalesce(substring(content from '\n## ([^\n]+)'), '')), 'B')
      || setweight(to_tsvector('english', content), 'D');
    update posts set search_words = (select sum(cardinality(positions)) from unnest(search));
    create index posts_search on posts using gin (search);
    analyze posts`)
}

/** Words by how many posts have them, rarest first. Call `addTextVectors` before. */
export async function wordsHeldBy(db: Db, min: number, max: number): Promise<string[]> {
  const rows = await db.query<{ term: string }>(
    "select word as term from ts_stat('select search from posts') where ndoc between $1 and $2 order by ndoc, word",
    [min, max]
  )
  return rows.map(row => row.term)
}
