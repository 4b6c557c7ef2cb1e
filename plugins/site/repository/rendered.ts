import type { Queryable, Tx } from '#core'

/** The two tables that hold texts. */
export const pageTables = ['site_pages', 'site_approved_pages'] as const
type PageTable = (typeof pageTables)[number]

export async function listPageSlugs(db: Queryable, table: PageTable): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(`select slug from ${table} order by slug`)
  return rows.map(({ slug }) => slug)
}

export async function readContent(db: Queryable, table: PageTable, slug: string): Promise<string> {
  const [row] = await db.query<{ content: string }>(`select content from ${table} where slug = $1`, [slug])
  return row?.content ?? ''
}

export async function replaceHtml(tx: Tx, table: PageTable, page: { slug: string; html: string }): Promise<void> {
  await tx.query(`update ${table} set content_html = $2 where slug = $1`, [page.slug, page.html])
}
