// What search is compared with: SQLite's FTS5, and PostgreSQL's own text vectors ranked by ts_rank.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPostgres } from '../cli/database/postgres/postgres.ts'
import type { TrialPost, TrialQuery } from './trial-posts.ts'

/** An index of posts that is measured. */
export interface Rival {
  /** Stores posts where their own service keeps them, which is no part of indexing; absent where nothing else has them. */
  store?(posts: readonly TrialPost[]): Promise<void>
  /** Indexes posts beside those it has. */
  add(posts: readonly TrialPost[]): Promise<void>
  /** Waits until all are found, as an operator would leave the index. */
  finish(count: number): Promise<void>
  /** How many of the ten best it finds. */
  search(query: TrialQuery): Promise<number>
  indexBytes(): Promise<number>
  /** The processes whose memory counts. */
  pids(): readonly number[]
  /** Publishes a post as a user does; absent where nothing else uses the index. */
  publish?(post: TrialPost): Promise<void>
  close(): Promise<void>
}

export async function makeFts5(): Promise<Rival> {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-fts5-'))
  const file = path.join(folder, 'index.db')
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536')
  db.exec("create virtual table posts using fts5(title, text, content='', tokenize='porter unicode61')")
  const insert = db.prepare('insert into posts (rowid, title, text) values (?, ?, ?)')
  const select = db.prepare('select rowid from posts where posts match ? order by bm25(posts, 5.0, 1.0) limit 10')
  let rows = 0
  return {
    async add(posts) {
      db.exec('begin')
      for (const { title, text } of posts) insert.run(++rows, title, text)
      db.exec('commit')
    },
    async finish() {
      db.exec("insert into posts (posts) values ('optimize'); pragma wal_checkpoint(truncate)")
    },
    search: async ({ words, match }) => {
      if (match === 'phrase') return select.all(`"${words.join(' ')}"`).length
      return select.all(words.join(match === 'any' ? ' OR ' : ' ')).length
    },
    indexBytes: async () => statSync(file).size,
    pids: () => [process.pid],
    async close() {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const operators = { all: ' & ', any: ' | ', phrase: ' <-> ' } as const

/** A text vector beside each text with a GIN index, in a database of its own. */
export async function makeTsRank(serverUrl: string): Promise<Rival> {
  const name = `galley_trial_${process.pid}`
  const server = createPostgres({ url: serverUrl, max: 1 })
  await server.script(`create database ${name}`)
  const db = createPostgres({ url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href, max: 1 })
  await db.script('create table posts (id serial primary key, title text, text text, search tsvector)')
  return {
    async add(posts) {
      await db.query(
        `insert into posts (title, text, search)
         select title, text, setweight(to_tsvector('english', title), 'A') || to_tsvector('english', text)
         from unnest($1::text[], $2::text[]) as t (title, text)`,
        [posts.map(each => each.title), posts.map(each => each.text)]
      )
    },
    async finish() {
      // Building takes longer than a statement may.
      await db.script('set statement_timeout = 0; create index posts_search on posts using gin (search); analyze posts')
    },
    async search({ words, match }) {
      const rows = await db.query(
        `select id from posts, to_tsquery('english', $1) as query where search @@ query
         order by ts_rank(search, query) desc, id desc limit 10`,
        [words.join(operators[match])]
      )
      return rows.length
    },
    async indexBytes() {
      // The text vectors are part of the index: nothing else needs them.
      const rows = await db.query<{ bytes: number }>(
        "select (pg_relation_size('posts_search') + (select sum(pg_column_size(search)) from posts))::float8 as bytes"
      )
      return rows[0]?.bytes ?? 0
    },
    pids: () => [],
    async close() {
      await db.close()
      await server.script(`drop database ${name} with (force)`).finally(() => server.close())
    }
  }
}
