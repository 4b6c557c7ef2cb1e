import { type Changes, ConflictError, type Db, type Emit, NotFoundError, recordAudit, type Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { SitePageChanged, sitePagesCacheTag } from './index.ts'
import { type PageInput, pageTextOf } from './page-text.ts'
import { approvePage } from './repository/approved.ts'
import {
  countPages,
  deletePage,
  findPage,
  listPages,
  lockPage,
  lockPageCount,
  type PageRow,
  type PageText,
  savePage
} from './repository/pages.ts'

/** All of them are in the footer of every page. */
const maxPages = 50

/** `waiting`: never approved. `public`: readers get it as it is. `changed`: readers get the version approved before. */
type PageState = 'waiting' | 'public' | 'changed'

export interface StaticPage extends PageRow {
  state: PageState
}

/** Pages that are no post, such as an imprint, as operators manage them. */
export interface StaticPages {
  list(): Promise<StaticPage[]>
  /** @throws NotFoundError */
  show(slug: string): Promise<StaticPage & { content: string }>
  /** Writes a page. Readers get what was approved before until this is, too. @throws InputError; ConflictError for one page too many */
  set(input: PageInput, actor: string): Promise<StaticPage>
  /**
   * Readers get the page as it is now. Approved already: no change.
   * @throws NotFoundError; ConflictError when it is not what `content_hash` names
   */
  approve(slug: string, by: { content_hash?: string | undefined; actor: string }): Promise<StaticPage>
  /** Deletes it, for readers too. @throws NotFoundError */
  remove(slug: string, actor: string): Promise<StaticPage>
}

interface StaticPageDeps {
  db: Db
  changes: Changes
  emit: Emit
  render: Posts['render']
}

export function createStaticPages(deps: StaticPageDeps): StaticPages {
  const { db } = deps
  const show = async (slug: string) => {
    const row = required(slug, await findPage(db, slug))
    return { ...row, state: stateOf(row) }
  }
  return {
    show,
    list: async () => (await listPages(db)).map(row => ({ ...row, state: stateOf(row) })),
    async set(input, actor) {
      const text = await pageTextOf(deps.render, input)
      await db.transaction(tx => write(tx, text, actor))
      return withoutContent(await show(text.slug))
    },
    async approve(slug, by) {
      await db.transaction(tx => approve(deps, tx, slug, by))
      return withoutContent(await show(slug))
    },
    remove: (slug, actor) => db.transaction(tx => remove(deps, tx, slug, actor))
  }
}

const withoutContent = ({ content: _, ...page }: StaticPage & { content: string }): StaticPage => page

const stateOf = ({ content_hash, approved_hash }: PageRow): PageState => {
  if (approved_hash === null) return 'waiting'
  return approved_hash === content_hash ? 'public' : 'changed'
}

function required<Row>(slug: string, row: Row | undefined): Row {
  if (row === undefined) throw new NotFoundError(`There is no page ${slug}: "galley pages list" shows those there are.`)
  return row
}

async function write(tx: Tx, text: PageText, actor: string): Promise<void> {
  const { slug } = text
  await lockPageCount(tx)
  if ((await lockPage(tx, slug)) === undefined && (await countPages(tx)) >= maxPages)
    throw new ConflictError(`There are ${maxPages} pages, and no more are taken: "galley pages remove" deletes one.`)
  const content_hash = await savePage(tx, { ...text, actor })
  if (content_hash === undefined) return
  await recordAudit(tx, { event_type: 'site.page_set', actor, details: { slug, content_hash } })
}

async function approve(
  deps: StaticPageDeps,
  tx: Tx,
  slug: string,
  { content_hash: decided, actor }: { content_hash?: string | undefined; actor: string }
): Promise<void> {
  const { content_hash, approved_hash } = required(slug, await lockPage(tx, slug))
  if (decided !== undefined && decided !== content_hash)
    throw new ConflictError(
      `The page ${slug} has changed since it was shown for this decision (its hash was ${decided.slice(0, 12)}, it is ${content_hash.slice(0, 12)}): look at it again with "galley pages show ${slug}". Nothing was changed.`
    )
  if (approved_hash === content_hash) return
  await approvePage(tx, slug, actor)
  await recordAudit(tx, { event_type: 'site.page_approved', actor, details: { slug, content_hash } })
  await announceChange(deps, tx, slug)
}

async function remove(deps: StaticPageDeps, tx: Tx, slug: string, actor: string): Promise<StaticPage> {
  const page = required(slug, await lockPage(tx, slug))
  const { content_hash, approved_hash } = page
  await deletePage(tx, slug)
  await recordAudit(tx, { event_type: 'site.page_removed', actor, details: { slug, content_hash } })
  if (approved_hash !== null) await announceChange(deps, tx, slug)
  return { ...page, state: stateOf(page) }
}

/** Readers get something else. */
async function announceChange({ changes, emit }: StaticPageDeps, tx: Tx, slug: string): Promise<void> {
  await changes.touch(tx, sitePagesCacheTag)
  await emit(tx, SitePageChanged, { slug })
}
