import { asText, InputError, type Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { escapeHtml } from '#text/html-entities'
import { listPageSlugs, pageTables, readContent, replaceHtml } from './repository/rendered.ts'

/**
 * Renders every static page of a backup again from its markdown, one at a time: its HTML may be anybody's. A text that cannot
 * be rendered in bounds is shown as it was typed.
 * @throws UnavailableError when the machine is too busy to tell.
 */
export async function rerenderPages(tx: Tx, render: Posts['render'], signal: AbortSignal): Promise<void> {
  for (const table of pageTables)
    for (const slug of await listPageSlugs(tx, table)) {
      signal.throwIfAborted()
      const html = await renderOrShow(await readContent(tx, table, slug), render)
      await replaceHtml(tx, table, { slug, html })
    }
}

async function renderOrShow(content: string, render: Posts['render']): Promise<string> {
  try {
    return (await render(content, 'restore')).content_html
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return `<pre>${escapeHtml(asText(content))}</pre>\n`
  }
}
