import {
  ConflictError,
  type Db,
  type Emit,
  NotFoundError,
  type Page,
  type PageRequest,
  type SettingsStore,
  toPage
} from '#core'
import { countAt, countPendingAt, findHeld, pendingAt, relatedIds, resolveSubjectId } from './held-items.ts'
import {
  type DefaultGate,
  defaultGateName,
  GateDecided,
  type GateDefinition,
  GateHeld,
  type Gates,
  type HeldItem,
  type HeldSubject
} from './index.ts'
import { countHistory, type HistoryRow, insertDecisions, listHistory, type RecordedDecision } from './repository.ts'

/** The default gate, as lists show it. */
export interface DefaultGateRow {
  gate_name: typeof defaultGateName
  mechanism: 'default'
  enabled: true
  pending_count: number
  auto_publish_threshold: number
  require_human_approval: boolean
}

/** A configurable gate, as lists show it. */
export interface GateRow {
  gate_name: string
  enabled: boolean
  mechanism: 'configurable'
  wired_into: string
  setting_key: string
  pending_count: number
}

/** The gates, with what the routes and commands need. */
export interface GateRegistry extends Gates {
  /** The default publish gate first, then the configurable ones by name. */
  list(): Promise<(DefaultGateRow | GateRow)[]>
  /** Switches a gate; in effect in every process within a second. @throws ConflictError for the default gate. */
  set(gate_name: string, state: 'on' | 'off', actor: string): Promise<GateRow>
  /** The held item with this id of a task, post or subject, or a prefix of it. @throws NotFoundError, ConflictError */
  held(id: string, gate_name: string | null): Promise<HeldItem>
  /** What was held and decided, newest first; with `id`, only of that task and its post. */
  history(filter: { gate_name: string | null; id: string | null }, page: PageRequest): Promise<Page<RecordedDecision>>
}

export interface GateDeps {
  db: Db
  emit: Emit
  store: SettingsStore
}

/** The gates plugins have defined. */
export interface DefinedGates {
  readonly configurable: Map<string, GateDefinition>
  default: DefaultGate | undefined
}

export function createGates({ db, emit, store }: GateDeps): GateRegistry {
  const defined: DefinedGates = { configurable: new Map(), default: undefined }
  const find = (gate_name: string) => findGate(defined, gate_name)
  const switchable = (gate_name: string): GateDefinition => {
    const gate = defined.configurable.get(gate_name)
    if (gate !== undefined) return gate
    if (gate_name !== defaultGateName) throw unknownGate(defined, gate_name)
    throw new ConflictError(
      `${defaultGateName} is always on: require_human_approval and auto_publish_threshold say which drafts pass without a person.`
    )
  }
  const rowOf = async (gate: GateDefinition): Promise<GateRow> => ({
    gate_name: gate.gate_name,
    enabled: gate.isOn(),
    mechanism: 'configurable',
    wired_into: gate.wired_into,
    setting_key: gate.setting_key,
    pending_count: await countAt(db, gate.gate_name, gate)
  })
  const holdMany: Gates['holdMany'] = async (tx, gate_name, subjects, { actor, reason, waits_again = false }) => {
    if (subjects.length === 0) return
    await insertDecisions(
      tx,
      subjects.map(subject => heldRow(gate_name, subject, actor, reason))
    )
    await emit(
      tx,
      GateHeld,
      subjects.map(subject => ({ gate_name, ...subject, actor, reason, waits_again }))
    )
  }
  const recordMany: Gates['recordMany'] = async (tx, decisions) => {
    if (decisions.length === 0) return
    await insertDecisions(tx, decisions)
    await emit(tx, GateDecided, decisions)
  }

  return {
    define(gate) {
      if (defined.configurable.has(gate.gate_name) || gate.gate_name === defaultGateName)
        throw new TypeError(`the gate ${gate.gate_name} is defined twice`)
      defined.configurable.set(gate.gate_name, gate)
    },
    defineDefault(gate) {
      defined.default = gate
    },
    isOn: gate_name => gate_name === defaultGateName || switchable(gate_name).isOn(),
    hold: (tx, gate_name, subject, by) => holdMany(tx, gate_name, [subject], by),
    holdMany,
    record: (tx, decision) => recordMany(tx, [decision]),
    recordMany,
    async list() {
      const configurable = await Promise.all([...defined.configurable.values()].sort(byName).map(rowOf))
      return defined.default === undefined ? configurable : [await defaultRow(db, defined.default), ...configurable]
    },
    approve: async (gate_name, id, answer) =>
      find(gate_name).approve(await resolveSubjectId(db, defined, gate_name, id), answer),
    reject: async (gate_name, id, answer) =>
      find(gate_name).reject(await resolveSubjectId(db, defined, gate_name, id), answer),
    pending: gate_name => pendingAt(db, defined, gate_name),
    countPending: gate_name => countPendingAt(db, defined, gate_name),
    held: (id, gate_name) => findHeld(db, defined, id, gate_name),
    async set(gate_name, state, actor) {
      const gate = switchable(gate_name)
      await store.set(gate.setting_key, state, { actor })
      return rowOf(gate)
    },
    async history({ gate_name, id }, page) {
      if (gate_name !== null) find(gate_name)
      const filter = { gate_name, ids: id === null ? null : await relatedIds(db, id) }
      const [rows, total] = await Promise.all([listHistory(db, filter, page), countHistory(db, filter)])
      const { items, ...rest } = toPage(rows, page, total, row => [String(row.id)])
      return { items: items.map(({ id: _, ...decision }) => decision), ...rest }
    }
  }
}

const heldRow = (
  gate_name: string,
  { subject_type, subject_id, content_hash }: HeldSubject,
  actor: string,
  reason: string | null
): HistoryRow => ({ gate_name, subject_type, subject_id, decision: 'held', actor, reason, content_hash })

const byName = (a: GateDefinition, b: GateDefinition): number => (a.gate_name < b.gate_name ? -1 : 1)

/** @throws NotFoundError with the names of all gates. */
export function findGate(defined: DefinedGates, gate_name: string): GateDefinition | DefaultGate {
  const gate = gate_name === defaultGateName ? defined.default : defined.configurable.get(gate_name)
  if (gate === undefined) throw unknownGate(defined, gate_name)
  return gate
}

function unknownGate(defined: DefinedGates, gate_name: string): NotFoundError {
  const names = [...defined.configurable.keys()].sort()
  const all = defined.default === undefined ? names : [defaultGateName, ...names]
  const others = all.length === 0 ? 'No plugin defines one' : `There is ${all.join(', ')}`
  return new NotFoundError(`There is no gate ${JSON.stringify(gate_name)}. ${others}.`)
}

async function defaultRow(db: Db, gate: DefaultGate): Promise<DefaultGateRow> {
  return {
    gate_name: defaultGateName,
    mechanism: 'default',
    enabled: true,
    pending_count: await countAt(db, defaultGateName, gate),
    ...gate.autoPublish()
  }
}
