import type { Queryable, Tx } from '#core'

/** A static page as it was last written, with what is approved of it; null for nothing. */
export interface PageRow {
  slug: string
  title: string
  /** BCP 47; null for the setting `site_language`. */
  language: string | null
  content_hash: string
  updated_at: string
  updated_by: string
  approved_hash: string | null
  approved_at: string | null
  approved_by: string | null
}

/** What an operator writes. `content` is markdown, `content_html` what is made of it. */
export interface PageText {
  slug: string
  title: string
  language: string | null
  content: string
  content_html: string
}

const columns = `p.slug, p.title, p.language, p.content_hash, p.updated_at, p.updated_by,
  a.content_hash as approved_hash, a.approved_at, a.approved_by`
const from = 'from site_pages p left join site_approved_pages a using (slug)'

export function listPages(db: Queryable): Promise<PageRow[]> {
  return db.query<PageRow>(`select ${columns} ${from} order by p.slug`)
}

export async function findPage(db: Queryable, slug: string): Promise<(PageRow & { content: string }) | undefined> {
  const [row] = await db.query<PageRow & { content: string }>(
    `select ${columns}, p.content ${from} where p.slug = $1`,
    [slug]
  )
  return row
}

/** The page, locked until the transaction ends. */
export async function lockPage(tx: Tx, slug: string): Promise<PageRow | undefined> {
  const [row] = await tx.query<PageRow>(`select ${columns} ${from} where p.slug = $1 for update of p`, [slug])
  return row
}

/** Until the transaction ends nobody else adds a page. */
export async function lockPageCount(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('site.pages', 0))")
}

export async function countPages(db: Queryable): Promise<number> {
  const [row] = await db.query<{ pages: number }>('select count(*) as pages from site_pages')
  return row?.pages ?? 0
}

/** @returns its hash; undefined when the page reads so already */
export async function savePage(tx: Tx, page: PageText & { actor: string }): Promise<string | undefined> {
  const [row] = await tx.query<{ content_hash: string }>(
    `insert into site_pages as p (slug, title, language, content, content_html, updated_by)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (slug) do update set title = excluded.title, language = excluded.language, content = excluded.content,
       content_html = excluded.content_html, updated_by = excluded.updated_by, updated_at = now()
     where (p.title, p.language, p.content) is distinct from (excluded.title, excluded.language, excluded.content)
     returning content_hash`,
    [page.slug, page.title, page.language, page.content, page.content_html, page.actor]
  )
  return row?.content_hash
}

/** Deletes the page with what is approved of it. */
export async function deletePage(tx: Tx, slug: string): Promise<void> {
  await tx.query('delete from site_pages where slug = $1', [slug])
}
