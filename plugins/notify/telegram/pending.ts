import { ConflictError } from '#core'
import type { Gates, HeldItem } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import type { Action, Notice } from '../index.ts'
import { actionsFor, cutLine, nounOf } from '../notices.ts'

/** Few enough that each has its link and its buttons on a phone. */
const onPage = 5
/** A button carries 64 bytes: with a UUID there is room for so much of a hash. */
const hashLength = 8

export interface PendingDeps {
  gates: Gates
  posts: Pick<Posts, 'previewUrl'> | undefined
}

/** A page of what waits at all gates, each with its link and its buttons. `asked` is the page's number as it was written. */
export async function pendingNotice({ gates, posts }: PendingDeps, asked: string): Promise<Notice> {
  const [items, total] = await Promise.all([gates.pending(null), gates.countPending(null)])
  if (items.length === 0) return { title: 'Nothing waits for a decision.', lines: [], actions: [] }
  const pages = Math.ceil(items.length / onPage)
  const page = Math.min(Math.max(1, Number.parseInt(asked, 10) || 1), pages)
  const shown = items.slice((page - 1) * onPage, page * onPage)
  const texts = await Promise.all(shown.map((item, index) => linesOf(item, index + 1, posts)))
  const unlisted =
    total > items.length && page === pages ? ['', `… and ${total - items.length} more: galley gates pending`] : []
  return {
    title: `${total} waiting for a decision${pages === 1 ? '' : `, page ${page} of ${pages}`}:`,
    lines: [...texts.flat(), ...unlisted],
    actions: [...shown.flatMap((item, index) => buttonsOf(item, index + 1)), ...pageButtons(page, pages)]
  }
}

async function linesOf(item: HeldItem, number: number, posts: PendingDeps['posts']): Promise<string[]> {
  const link = item.post_id === null ? undefined : await posts?.previewUrl(item.post_id)
  const commands = actionsFor(item).map(({ chat, hint }) => `${chat} ${hint}`.trimEnd())
  const title = `${number}. ${nounOf(item.gate_name)}: ${cutLine(item.title, 150)}`
  return ['', title, ...(link === undefined ? [] : [link]), ...commands]
}

/** Approving by a button counts for the content that was listed. */
function buttonsOf(item: HeldItem, number: number): Action[] {
  const mark = item.content_hash === null ? '' : ` #${item.content_hash.slice(0, hashLength)}`
  return actionsFor(item).flatMap(action =>
    action.label === null
      ? []
      : [
          {
            ...action,
            label: `${action.label} ${number}`,
            chat: `${action.chat}${mark}`,
            row: number,
            isButtonOnly: true
          }
        ]
  )
}

function pageButtons(page: number, pages: number): Action[] {
  const to = (label: string, number: number): Action[] =>
    number < 1 || number > pages
      ? []
      : [
          {
            label,
            chat: `/pending ${number}`,
            hint: '',
            cli: 'galley gates pending',
            row: onPage + 1,
            isButtonOnly: true
          }
        ]
  return [...to('← Earlier', page - 1), ...to('More →', page + 1)]
}

/** The mark of a listed content, and the words beside it. */
export function splitMark(words: string): { mark: string | null; words: string } {
  const [, mark = null, rest = words] = /^#([0-9a-f]{8})(?:\s+([\s\S]*))?$/.exec(words) ?? []
  return { mark, words: mark === null ? words : rest === words ? '' : rest }
}

/**
 * The whole hash of what waits, which the button's mark begins.
 * @throws ConflictError `CONTENT_CHANGED` when another content waits by now.
 */
export async function hashOfMark(gates: Gates, gate_name: string, id: string, mark: string): Promise<string> {
  const item = (await gates.pending(gate_name)).find(({ subject_id }) => subject_id === id)
  if (item?.content_hash?.startsWith(mark)) return item.content_hash
  throw new ConflictError(
    'What waits there is not what the list showed: /pending shows how it is now. Nothing was changed.',
    'CONTENT_CHANGED'
  )
}
