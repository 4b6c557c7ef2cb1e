import type { Queryable, Tx } from '#core'
import type { PageText } from './pages.ts'

/** A page as readers get it. */
interface ApprovedPage extends Omit<PageText, 'content'> {
  approved_at: string
}

/** Readers get the page as it is now. */
export async function approvePage(tx: Tx, slug: string, actor: string): Promise<void> {
  await tx.query(
    `insert into site_approved_pages (slug, title, language, content, content_html, approved_by)
     select slug, title, language, content, content_html, $2 from site_pages where slug = $1
     on conflict (slug) do update set title = excluded.title, language = excluded.language, content = excluded.content,
       content_html = excluded.content_html, approved_by = excluded.approved_by, approved_at = now()`,
    [slug, actor]
  )
}

/** What readers find, without the texts. */
export function listApproved(db: Queryable): Promise<Omit<ApprovedPage, 'content_html'>[]> {
  return db.query('select slug, title, language, approved_at from site_approved_pages order by slug')
}

export async function findApproved(db: Queryable, slug: string): Promise<ApprovedPage | undefined> {
  const [row] = await db.query<ApprovedPage>(
    'select slug, title, language, content_html, approved_at from site_approved_pages where slug = $1',
    [slug]
  )
  return row
}
