import type { Action, ChatCommandGroup, Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import type { GateRegistry } from '../gates.ts'
import type { GateLabels, HeldItem } from '../index.ts'
import { actionsFor, pendingAction } from './notices.ts'

/** Few enough that each has its link and its buttons on a phone. */
const itemsPerPage = 5
/** Of a content's hash, in a command. A button carries 64 bytes: with a UUID there is room for so much. */
const markLength = 8

interface PendingDeps {
  gates: Pick<GateRegistry, 'pending' | 'countPending' | 'postLinks'>
  labelsOf(gate_name: string): GateLabels | undefined
}

/** `/pending [page]`. */
export const pendingCommand = (deps: PendingDeps): ChatCommandGroup => ({
  describe: 'all that waits',
  commands: {
    pending: { usage: '[page]', isDecision: false, run: ({ text }) => pendingNotice(deps, text) }
  }
})

/** A page of what waits at all gates, each with its link, its commands and its buttons. `asked` is the page's number as it was written. */
async function pendingNotice(deps: PendingDeps, asked: string): Promise<Notice> {
  const [items, total] = await Promise.all([deps.gates.pending(null), deps.gates.countPending(null)])
  if (items.length === 0) return { title: 'Nothing waits for a decision.', lines: [], actions: [] }
  const pages = Math.ceil(items.length / itemsPerPage)
  const page = Math.min(Math.max(1, Number.parseInt(asked, 10) || 1), pages)
  const shown = items.slice((page - 1) * itemsPerPage, page * itemsPerPage)
  const texts = await Promise.all(shown.map((item, index) => linesOf(deps, item, index + 1)))
  const unlisted =
    total > items.length && page === pages ? ['', `… and ${total - items.length} more: ${pendingAction.cli}`] : []
  return {
    title: `${total} waiting for a decision${pages === 1 ? '' : `, page ${page} of ${pages}`}:`,
    lines: [...texts.flat(), ...unlisted],
    actions: [...shown.flatMap((item, index) => buttonsOf(deps, item, index + 1)), ...pageButtons(page, pages)]
  }
}

/** Decisions on an item. Their commands count for the content that is listed: they have its mark. */
function itemActions({ labelsOf }: PendingDeps, item: HeldItem): Action[] {
  const mark = item.content_hash === null ? '' : ` #${item.content_hash.slice(0, markLength)}`
  const actions = actionsFor({ subject: item, labels: labelsOf(item.gate_name) })
  return actions.map(action => ({ ...action, chat: `${action.chat}${mark}` }))
}

async function linesOf(deps: PendingDeps, item: HeldItem, number: number): Promise<string[]> {
  const link = item.post_id === null ? undefined : await deps.gates.postLinks()?.preview(item.post_id)
  const commands = itemActions(deps, item).map(({ chat, hint }) => `${chat} ${hint}`.trimEnd())
  const title = `${number}. ${nounOf(item.gate_name, deps.labelsOf(item.gate_name))}: ${truncateText(item.title, 150)}`
  return ['', title, ...(link === undefined ? [] : [link]), ...commands]
}

function nounOf(gate_name: string, labels: GateLabels | undefined): string {
  // Without a word of its own, the gate's name is what the commands take.
  if (labels === undefined) return gate_name
  return labels.noun.charAt(0).toUpperCase() + labels.noun.slice(1)
}

function buttonsOf(deps: PendingDeps, item: HeldItem, number: number): Action[] {
  const buttons = itemActions(deps, item).filter(({ label }) => label !== null)
  return buttons.map(action => ({
    ...action,
    label: `${action.label} ${number}`,
    row: number,
    isButtonOnly: true
  }))
}

function pageButtons(page: number, pages: number): Action[] {
  const to = (label: string, number: number): Action[] =>
    number < 1 || number > pages
      ? []
      : [{ ...pendingAction, label, chat: `/pending ${number}`, row: itemsPerPage + 1, isButtonOnly: true }]
  return [...to('← Earlier', page - 1), ...to('More →', page + 1)]
}

/** The mark of a listed content, and the words beside it. */
export function splitMark(words: string): { mark: string | null; words: string } {
  const [, mark = null, rest = ''] = /^#([0-9a-f]{8})(?:\s+([\s\S]*))?$/.exec(words) ?? []
  return { mark, words: mark === null ? words : rest }
}
