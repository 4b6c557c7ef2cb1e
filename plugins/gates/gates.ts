import type { Db, Emit, SettingsStore } from '#core'
import { type Page, type PageRequest, toPage } from '#lists'
import { addGate, type DefinedGates, findConfigurable, findGate } from './defined-gates.ts'
import { createGateRecorder } from './gate-recorder.ts'
import { countAt, countPendingAt, findHeld, pendingAt, relatedIds, resolveSubjectId } from './held-items.ts'
import {
  type DefaultGate,
  defaultGateName,
  type GateDefinition,
  type Gates,
  type HeldItem,
  type PostLinks
} from './index.ts'
import { countHistory, listHistory, type RecordedDecision } from './repository.ts'

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
  /** Undefined without a plugin that registers them. */
  postLinks(): PostLinks | undefined
  /** The default publish gate first, then the configurable ones by name. */
  list(): Promise<(DefaultGateRow | GateRow)[]>
  /** Switches a gate; in effect in every process within a second. @throws ConflictError for the default gate. */
  set(gate_name: string, state: 'on' | 'off', actor: string): Promise<GateRow>
  /** The held item with this id of a task, post or subject, or a prefix of it. @throws NotFoundError, ConflictError */
  held(id: string, gate_name: string | null): Promise<HeldItem>
  /** What was held and decided, newest first; with `id`, only of that task and its post. */
  history(filter: { gate_name: string | null; id: string | null }, page: PageRequest): Promise<Page<RecordedDecision>>
}

interface GateDeps {
  db: Db
  emit: Emit
  store: SettingsStore
}

export function createGates({ db, emit, store }: GateDeps): GateRegistry {
  const defined: DefinedGates = { configurable: new Map(), default: undefined, subjectIds: [] }
  let links: PostLinks | undefined
  const find = (gate_name: string) => findGate(defined, gate_name)
  return {
    ...createGateRecorder(emit),
    registerGate: gate => addGate(defined, store, gate),
    registerDefaultGate(gate) {
      defined.default = gate
    },
    registerPostLinks(given) {
      links = given
    },
    postLinks: () => links,
    registerSubjectIds: ids => void defined.subjectIds.push(ids),
    isOn: gate_name => gate_name === defaultGateName || findConfigurable(defined, gate_name).isOn(),
    list: () => listGates(db, defined),
    approve: async (gate_name, id, by) =>
      find(gate_name).approve(await resolveSubjectId(db, defined, gate_name, id), by),
    reject: async (gate_name, id, by) => find(gate_name).reject(await resolveSubjectId(db, defined, gate_name, id), by),
    pending: gate_name => pendingAt(db, defined, gate_name),
    countPending: gate_name => countPendingAt(db, defined, gate_name),
    held: (id, gate_name) => findHeld(db, defined, id, gate_name),
    async set(gate_name, state, actor) {
      const gate = findConfigurable(defined, gate_name)
      const { is_active } = await store.set(gate.setting_key, state, { actor })
      // Disabled, the setting would leave the gate at its default.
      if (!is_active) await store.setActive(gate.setting_key, true, { actor })
      return rowOf(db, gate)
    },
    async history({ gate_name, id }, page) {
      if (gate_name !== null) find(gate_name)
      const filter = { gate_name, ids: id === null ? null : await relatedIds(db, defined, id) }
      const [rows, total] = await Promise.all([listHistory(db, filter, page), countHistory(db, filter)])
      const { items, ...rest } = toPage(rows, page, total, row => [String(row.id)])
      return { items: items.map(({ id: _, ...decision }) => decision), ...rest }
    }
  }
}

async function listGates(db: Db, defined: DefinedGates): Promise<(DefaultGateRow | GateRow)[]> {
  const gates = [...defined.configurable.values()].sort(byName)
  const configurable = await Promise.all(gates.map(gate => rowOf(db, gate)))
  return defined.default === undefined ? configurable : [await defaultRow(db, defined.default), ...configurable]
}

const byName = (a: GateDefinition, b: GateDefinition): number => (a.gate_name < b.gate_name ? -1 : 1)

const rowOf = async (db: Db, gate: GateDefinition): Promise<GateRow> => ({
  gate_name: gate.gate_name,
  enabled: gate.isOn(),
  mechanism: 'configurable',
  wired_into: gate.wired_into,
  setting_key: gate.setting_key,
  pending_count: await countAt(db, gate.gate_name, gate)
})

async function defaultRow(db: Db, gate: DefaultGate): Promise<DefaultGateRow> {
  return {
    gate_name: defaultGateName,
    mechanism: 'default',
    enabled: true,
    pending_count: await countAt(db, defaultGateName, gate),
    ...gate.autoPublish()
  }
}
