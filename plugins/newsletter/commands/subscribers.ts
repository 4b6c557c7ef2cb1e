import { pageTable, readTextFile } from '#cli'
import { type CommandContext, command, type FieldErrors, NotFoundError, type Terminal } from '#core'
import { formatInstant } from '#time'
import { emailFault, parseAddress } from '../addresses.ts'
import type { NewsletterComponents } from '../components.ts'
import { csvLine, readSubscribers } from '../import-file.ts'
import { countSubscribers, listAfter, listSubscribers, type Subscriber } from '../repository/subscribers.ts'
import { subscriberStatuses } from '../states.ts'
import type { SubscriberImport } from '../subscribers.ts'

const actions = ['list', 'import', 'export', 'remove', 'allow'] as const

const args = {
  action: {
    type: 'positional',
    describe:
      'list; import <file> (CSV with a column email); export (CSV); remove <address> (erases it); allow <address> (after a bounce or a complaint)',
    required: true,
    options: actions
  },
  target: { type: 'positional', describe: 'File, or address', placeholder: 'FILE|ADDRESS' },
  consented: { type: 'boolean', describe: 'import: they agreed elsewhere, and are not asked to confirm' },
  status: { type: 'string', describe: 'list, export: only subscribers of this status', options: subscriberStatuses },
  limit: { type: 'integer', describe: 'list: subscribers on the page, 1–100', default: 20, minimum: 1, maximum: 100 },
  offset: {
    type: 'integer',
    describe: 'list: subscribers before the page',
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000
  }
} as const
type Run = Pick<CommandContext<typeof args>, 'args' | 'terminal' | 'output' | 'isJson'>

interface SubscriberPage {
  items: Subscriber[]
  total: number
  limit: number
  offset: number
}
type Result =
  | SubscriberPage
  | SubscriberImport
  /** Of the address. */
  | { removed: true; was_subscriber: boolean }
  | { allowed: true }

/** One part of an export is in memory at a time. */
const partSize = 1000
const maxFileBytes = 50_000_000

export function subscribersCommand(components: NewsletterComponents) {
  return command({
    describe: 'List, import, export and erase subscribers',
    returns: 'list of Subscriber; of import {read, added, asked, left, unsubscribed, unknown_status, invalid}',
    args,
    validate: checkTarget,
    confirm: ({ args: { action, target } }) =>
      action === 'remove' ? { text: `Erase ${target}? It never gets mail again.`, isIrreversible: true } : null,
    run: (context): Promise<Result> => runAction(components, context),
    text: (result, terminal, { action }) => (action === 'export' ? '' : resultText(result, terminal))
  })
}

function checkTarget({ action, target }: { action?: string | undefined; target?: string | undefined }): FieldErrors {
  if (action === undefined) return {}
  const needsAddress = action === 'remove' || action === 'allow'
  if (needsAddress && parseAddress(target ?? '') === null) return { target: emailFault }
  if (action === 'import' && target === undefined) return { target: 'is required: the file to import' }
  const takesNone = action === 'list' || action === 'export'
  return takesNone && target !== undefined ? { target: `is not taken by ${action}` } : {}
}

async function runAction(components: NewsletterComponents, context: Run): Promise<Result> {
  const { args, terminal } = context
  const { target = '' } = args
  switch (args.action) {
    case 'import':
      return importFile(components, target, args.consented, terminal)
    case 'export':
      return exportAll(components, context)
    case 'remove':
      return { removed: true, was_subscriber: await components.subscribers.erase(parseAddress(target) ?? target) }
    case 'allow':
      if (!(await components.subscribers.allow(parseAddress(target) ?? target)))
        throw new NotFoundError(`${target} is not suppressed: "newsletter why" says what is known of it.`)
      return { allowed: true }
    default:
      return listPage(components, args)
  }
}

async function listPage({ db }: NewsletterComponents, { status, limit, offset }: PageArgs): Promise<SubscriberPage> {
  const [items, total] = await Promise.all([
    listSubscribers(db, status ?? null, { limit, offset }),
    countSubscribers(db, status ?? null)
  ])
  return { items, total, limit, offset }
}
type PageArgs = Pick<Run['args'], 'status' | 'limit' | 'offset'>

async function importFile(
  { subscribers }: NewsletterComponents,
  file: string,
  hasConsent: boolean,
  { cwd, signal }: Terminal
): Promise<SubscriberImport> {
  const text = await readTextFile(file, { cwd, field: 'target', maxBytes: maxFileBytes })
  return subscribers.importAll(readSubscribers(text), hasConsent, signal)
}

/** Prints CSV as it is read; as JSON it is one list. */
async function exportAll(
  { db }: NewsletterComponents,
  { args, output, isJson, terminal }: Run
): Promise<SubscriberPage> {
  const items: Subscriber[] = []
  if (!isJson) output.print('email,name,status,source,created_at,confirmed_at')
  let last: string | null = null
  for (;;) {
    const part: Subscriber[] = await listAfter(db, args.status ?? null, last, partSize)
    if (isJson) items.push(...part)
    else for (const row of part) output.print(lineOf(row))
    last = part.at(-1)?.subscriber_id ?? null
    if (last === null || terminal.signal.aborted || output.closed.aborted) break
  }
  return { items, total: items.length, limit: Math.max(items.length, 1), offset: 0 }
}

const lineOf = ({ email, name, status, source, created_at, confirmed_at }: Subscriber): string =>
  csvLine([email, name, status, source, created_at, confirmed_at])

const columns = [
  { heading: 'EMAIL' },
  { heading: 'STATUS' },
  { heading: 'SINCE', dropOrder: 2 },
  { heading: 'FROM', dropOrder: 1 },
  { heading: 'NAME', isText: true }
]

function resultText(result: Result, terminal: Terminal): string {
  if ('items' in result) {
    const rows = result.items.map(({ email, status, status_at, source, name }) => [
      email,
      status,
      formatInstant(status_at, terminal.timeZone),
      source,
      name ?? ''
    ])
    return pageTable(columns, rows, { ...result, empty: 'No subscriber.' }, terminal)
  }
  if ('removed' in result)
    return result.was_subscriber
      ? 'Erased. A hash stays, so that it never gets mail again.'
      : 'It was no subscriber. A hash was stored, so that it never gets mail.'
  if ('allowed' in result) return 'It may sign up again.'
  return reportText(result)
}

const reportText = ({ read, added, asked, left, unsubscribed, unknown_status, invalid }: SubscriberImport): string =>
  [
    `${read} read: ${added} added, ${asked} asked to confirm, ${left} left as they are, ${unsubscribed} unsubscribed in the file, ${unknown_status.count} with an unknown status, ${invalid.count} without a usable address.`,
    ...(unknown_status.count === 0
      ? []
      : [
          `Lines left out for an unknown status: ${unknown_status.lines.join(', ')}. Write active, pending or unsubscribed there, or remove the column.`
        ]),
    ...(invalid.count === 0 ? [] : [`Lines without a usable address: ${invalid.lines.join(', ')}`])
  ].join('\n')
