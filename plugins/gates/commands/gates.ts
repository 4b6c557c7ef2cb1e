import { fieldLines, listOf, pageTable, table } from '#cli'
import { command } from '#core'
import { formatInstant } from '#time'
import { slotAhead } from '../decided-items.ts'
import type { DefaultGateRow, GateRegistry, GateRow } from '../gates.ts'
import { maxListed } from '../held-items.ts'
import { slotText } from '../held-slot.ts'
import type { DecisionBy } from '../index.ts'

const task_id = {
  type: 'positional',
  describe: 'Id of the held task or post, or 8 or more of its first characters',
  required: true
} as const
const gate = { type: 'string', describe: 'Name of the gate', required: true } as const
const onlyGate = { type: 'string', describe: 'Only what waits at this gate' } as const
const content_hash = {
  type: 'string',
  describe: 'content_hash the decision is about: refused when the content is another by now'
} as const

const force = {
  type: 'boolean',
  describe: 'Also when the draft nearly repeats another post, or lacks its niche'
} as const

export const gateCommands = (gates: GateRegistry, now: () => Date) => ({
  list: list(gates),
  pending: pending(gates),
  'show-pending': showPending(gates, now),
  approve: approve(gates, now),
  reject: reject(gates),
  set: set(gates),
  history: history(gates)
})

const heldSubject =
  'what was held, as it is now: Topic at topic_decision; Task at awaiting_approval, or Post for one made by hand; Post at final_publish_approval; at another gate what its plugin answers'

/** Arguments of approving and rejecting. */
const answerArgs = (reason: string) =>
  ({ task_id, gate, reason: { type: 'string', describe: reason }, 'content-hash': content_hash }) as const

const list = (gates: GateRegistry) =>
  command({
    describe: 'The default publish gate, then the configurable gates with how many wait at each',
    returns: 'list of Gate',
    args: {},
    run: async () => listOf(await gates.list()),
    text: (page, terminal) =>
      table(
        [
          { heading: 'GATE' },
          { heading: 'STATE' },
          { heading: 'WAITING' },
          { heading: 'WIRED INTO', isText: true, dropOrder: 1 }
        ],
        page.items.map(rowCells),
        terminal
      )
  })

const columns = [
  { heading: 'ID' },
  { heading: 'GATE' },
  { heading: 'SINCE', dropOrder: 2 },
  { heading: 'TITLE', isText: true },
  { heading: 'WHY', isText: true, dropOrder: 1 }
]

const pending = (gates: GateRegistry) =>
  command({
    describe: 'What waits at the gates, the longest waiting first; at most 100 of each',
    returns: 'list of HeldItem',
    args: { gate: onlyGate },
    async run({ args }) {
      const gate_name = args.gate ?? null
      const [items, total] = await Promise.all([gates.pending(gate_name), gates.countPending(gate_name)])
      return { items, total, limit: Math.max(maxListed, items.length), offset: 0 }
    },
    text: ({ items, total }, terminal) => {
      const rows = items.map(item => [
        item.subject_id.slice(0, 8),
        item.gate_name,
        item.held_at === null ? '' : formatInstant(item.held_at, terminal.timeZone),
        item.title,
        item.reason ?? ''
      ])
      return pageTable(columns, rows, { total, offset: 0, empty: 'Nothing waits at a gate.' }, terminal)
    }
  })

const showPending = (gates: GateRegistry, now: () => Date) =>
  command({
    describe: 'One held item: where it waits, since when and why',
    returns: 'HeldItem',
    args: { task_id, gate: onlyGate },
    run: ({ args }) => gates.held(args.task_id, args.gate ?? null),
    text: (item, terminal) => fieldLines({ ...item, slot: slotText(item, terminal.timeZone, now()) }, terminal)
  })

const approve = (gates: GateRegistry, now: () => Date) =>
  command({
    describe: 'Let a held item pass a gate; a post that an edit took the slot from gets it back while it lies ahead',
    returns: heldSubject,
    args: { ...answerArgs('Why, for the gate history'), force },
    run: ({ args, actor }) =>
      gates.approve(args.gate, args.task_id, { ...decisionBy(args, actor), skipsChecks: args.force }),
    text: (item, terminal) => {
      const slot = slotAhead(item, now())
      return slot === null ? 'Approved.' : `Approved: its slot is ${formatInstant(slot, terminal.timeZone)}.`
    }
  })

const reject = (gates: GateRegistry) =>
  command({
    describe:
      'Turn a held item down: a topic ends, a draft is written again with the reason, a post goes back to draft',
    returns: heldSubject,
    args: answerArgs('Why; required at awaiting_approval: the writer, or whoever made the post, is given it'),
    run: ({ args, actor }) => gates.reject(args.gate, args.task_id, decisionBy(args, actor)),
    text: () => 'Rejected.'
  })

const set = (gates: GateRegistry) =>
  command({
    describe: 'Switch a gate on or off',
    returns: 'Gate',
    args: {
      gate: { type: 'positional', describe: 'Name of the gate', required: true },
      state: { type: 'positional', describe: 'on or off', options: ['on', 'off'], required: true }
    },
    run: ({ args, actor }) => gates.set(args.gate, args.state === 'on' ? 'on' : 'off', actor),
    text: row => {
      const stay = row.enabled || row.pending_count === 0 ? '' : `: they stay held until approved or rejected`
      return `The gate ${row.gate_name} is ${row.enabled ? 'on' : 'off'}; ${row.pending_count} waiting${stay}.`
    }
  })

const historyColumns = [
  { heading: 'AT' },
  { heading: 'GATE', dropOrder: 2 },
  { heading: 'WHAT' },
  { heading: 'DECISION' },
  { heading: 'BY', dropOrder: 3 },
  { heading: 'WHY', isText: true, dropOrder: 1 }
]

const history = (gates: GateRegistry) =>
  command({
    describe: 'What was held and decided, newest first: who, when, why, and of which content',
    returns: 'list of GateDecision',
    args: {
      id: {
        type: 'positional',
        describe: 'Only of this task and its post, by the id of either; 8 or more first characters do'
      },
      gate: { type: 'string', describe: 'Only at this gate' },
      limit: { type: 'integer', describe: 'Rows to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Rows to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const { limit: rows, offset: skipped } = args
      const { items, total, limit, offset } = await gates.history(
        { gate_name: args.gate ?? null, id: args.id ?? null },
        { limit: rows, offset: skipped, after: null }
      )
      return { items, total, limit, offset }
    },
    text: (page, terminal) => {
      const rows = page.items.map(row => [
        formatInstant(row.at, terminal.timeZone),
        row.gate_name,
        `${row.subject_type} ${row.subject_id.slice(0, 8)}`,
        row.decision,
        row.actor,
        row.reason ?? ''
      ])
      return pageTable(historyColumns, rows, { ...page, empty: 'Nothing was held or decided yet that fits.' }, terminal)
    }
  })

function decisionBy(
  args: { reason: string | undefined; 'content-hash': string | undefined },
  actor: string
): DecisionBy {
  return { actor, reason: args.reason ?? null, content_hash: args['content-hash'] ?? null }
}

function rowCells(row: DefaultGateRow | GateRow): string[] {
  if (row.mechanism === 'configurable')
    return [row.gate_name, row.enabled ? 'on' : 'off', String(row.pending_count), row.wired_into]
  const approval = row.require_human_approval ? 'a human approves' : `auto-publish at ${row.auto_publish_threshold}`
  return [row.gate_name, approval, String(row.pending_count), 'every draft']
}
