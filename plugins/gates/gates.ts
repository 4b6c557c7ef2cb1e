import { type Db, NotFoundError, type SettingsStore } from '#core'
import type { DefaultGate, GateDefinition, Gates } from './index.ts'
import { insertDecision } from './repository.ts'

/** The sign-off every draft waits for, as listings show it. */
export interface DefaultGateRow {
  gate_name: 'awaiting_approval'
  mechanism: 'default'
  enabled: true
  pending_count: number
  auto_publish_threshold: number
  require_human_approval: boolean
}

/** A configurable gate, as listings show it. */
export interface GateRow {
  gate_name: string
  enabled: boolean
  mechanism: 'configurable'
  wired_into: string
  setting_key: string
  pending_count: number
}

/** The gates with what their own commands do. */
export interface GateRegistry extends Gates {
  /** The default publish gate first, then the configurable ones by name. */
  list(): Promise<(DefaultGateRow | GateRow)[]>
  approve(gate_name: string, id: string, decision: { actor: string; reason: string | null }): Promise<object>
  /** Switches a gate; in effect in every process within a second. */
  set(gate_name: string, state: 'on' | 'off'): Promise<GateRow>
}

export function createGates({ db, store }: { db: Db; store: SettingsStore }): GateRegistry {
  const gates = new Map<string, GateDefinition>()
  let defaultGate: DefaultGate | undefined

  const known = (): string => {
    const names = [...gates.keys()].sort()
    const others = names.length === 0 ? 'No plugin defines one' : `There is ${names.join(', ')}`
    return `${others}; awaiting_approval is always on, and is passed by "galley tasks approve".`
  }
  const find = (gate_name: string): GateDefinition => {
    const gate = gates.get(gate_name)
    if (gate !== undefined) return gate
    throw new NotFoundError(`There is no gate ${JSON.stringify(gate_name)} to switch or pass. ${known()}`)
  }
  const rowOf = async (gate: GateDefinition): Promise<GateRow> => ({
    gate_name: gate.gate_name,
    enabled: gate.isOn(),
    mechanism: 'configurable',
    wired_into: gate.wired_into,
    setting_key: gate.setting_key,
    pending_count: await gate.countPending(db)
  })

  return {
    define(gate) {
      if (gates.has(gate.gate_name)) throw new TypeError(`the gate ${gate.gate_name} is defined twice`)
      gates.set(gate.gate_name, gate)
    },
    defineDefault(gate) {
      defaultGate = gate
    },
    isOn: gate_name => find(gate_name).isOn(),
    record: insertDecision,
    async list() {
      const configurable = await Promise.all([...gates.values()].sort(byName).map(rowOf))
      return defaultGate === undefined ? configurable : [await defaultRow(db, defaultGate), ...configurable]
    },
    approve: (gate_name, id, decision) => find(gate_name).approve(id, decision),
    async set(gate_name, state) {
      const gate = find(gate_name)
      await store.set(gate.setting_key, state)
      return rowOf(gate)
    }
  }
}

const byName = (a: GateDefinition, b: GateDefinition): number => (a.gate_name < b.gate_name ? -1 : 1)

async function defaultRow(db: Db, gate: DefaultGate): Promise<DefaultGateRow> {
  return {
    gate_name: 'awaiting_approval',
    mechanism: 'default',
    enabled: true,
    pending_count: await gate.countPending(db),
    ...gate.posture()
  }
}
