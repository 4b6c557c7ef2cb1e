import { batched, forEachAsync } from '#concurrency'
import { asText, InputError, type Log, type Tx } from '#core'
import { escapeHtml } from '#text/html-entities'
import {
  listLengths,
  listPostContents,
  type PostLength,
  type RenderedPost,
  replaceRendered
} from '../repository/rendered.ts'
import { renderText } from './render-text.ts'

/** Posts read at once: their texts and HTML are held together. A longer text is read alone. */
const batch = { maxItems: 50, maxSize: 1024 * 1024, sizeOf: ({ bytes }: PostLength) => bytes }
const pageSize = 500

/** Whoever asks for rendering has one text at work at a time: two clients keep both children busy. */
const clients = 2

/**
 * Renders every post again from its markdown. The HTML of a backup may be anybody's, and readers' browsers run it: none of
 * it is taken. A text that cannot be rendered in bounds is shown as it was typed.
 * @throws UnavailableError when the machine is too busy to tell.
 */
export async function rerenderAll(tx: Tx, log: Log, signal: AbortSignal): Promise<void> {
  let changed = 0
  for await (const post_ids of batches(tx)) {
    const rendered = await renderAll(await listPostContents(tx, post_ids), signal)
    changed += (await replaceRendered(tx, rendered)).length
  }
  if (changed > 0)
    log.warn({ posts: changed }, 'posts of the backup had other HTML than their markdown makes: it was rendered again')
}

async function* batches(tx: Tx): AsyncGenerator<string[]> {
  let last: string | null = null
  for (;;) {
    const page: PostLength[] = await listLengths(tx, last, pageSize)
    for (const posts of batched(page, batch)) yield posts.map(({ post_id }) => post_id)
    last = page.at(-1)?.post_id ?? null
    if (page.length < pageSize) return
  }
}

async function renderAll(posts: { post_id: string; content: string }[], signal: AbortSignal): Promise<RenderedPost[]> {
  const rendered: RenderedPost[] = []
  const render = async ({ post_id, content }: { post_id: string; content: string }, lane: number) =>
    rendered.push({ post_id, ...(await renderOrShow(content, `restore ${lane}`)) })
  await forEachAsync(posts, render, { concurrency: clients, signal })
  return rendered
}

async function renderOrShow(content: string, client: string): Promise<Omit<RenderedPost, 'post_id'>> {
  try {
    const { content_html, word_count } = await renderText(content, client)
    return { content_html, word_count }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { content_html: `<pre>${escapeHtml(asText(content))}</pre>\n`, word_count: 0 }
  }
}
