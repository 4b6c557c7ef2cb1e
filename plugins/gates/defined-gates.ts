import { ConflictError, isObject, NotFoundError, type SettingsStore } from '#core'
import { type DefaultGate, defaultGateName, type GateDefinition, type SubjectIds } from './index.ts'

/** What plugins have defined. */
export interface DefinedGates {
  readonly configurable: Map<string, GateDefinition>
  default: DefaultGate | undefined
  readonly subjectIds: SubjectIds[]
}

const textFields = ['gate_name', 'describe', 'wired_into', 'setting_key'] as const
const functionFields = ['isOn', 'countPending', 'listPending', 'approve', 'reject'] as const

/** A plugin in JavaScript registers anything: what it lacks would fail every list of gates. @throws TypeError */
function requireFields(gate: GateDefinition): void {
  const missing = [
    ...textFields.filter(field => typeof gate[field] !== 'string'),
    ...functionFields.filter(field => typeof gate[field] !== 'function')
  ]
  if (missing.length > 0) throw new TypeError(`the gate ${gate.gate_name} has no ${missing.join(', ')}`)
}

/** Without it the gate could never be switched. */
function requireSetting(store: Pick<SettingsStore, 'value'>, { gate_name, setting_key }: GateDefinition): void {
  try {
    store.value(setting_key)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new TypeError(`the gate ${gate_name} has no setting ${setting_key}: declare it in the settings of the plugin`)
  }
}

/** @throws TypeError for a gate that lacks a field or its setting, and for a name that is taken */
export function addGate(defined: DefinedGates, store: Pick<SettingsStore, 'value'>, gate: GateDefinition): void {
  if (!isObject(gate)) throw new TypeError('registerGate was given no gate')
  if (defined.configurable.has(gate.gate_name) || gate.gate_name === defaultGateName)
    throw new TypeError(`the gate ${gate.gate_name} is defined twice`)
  requireFields(gate)
  requireSetting(store, gate)
  defined.configurable.set(gate.gate_name, gate)
}

/** @throws NotFoundError with the names of all gates. */
export function findGate(defined: DefinedGates, gate_name: string): GateDefinition | DefaultGate {
  const gate = gate_name === defaultGateName ? defined.default : defined.configurable.get(gate_name)
  if (gate === undefined) throw unknownGate(defined, gate_name)
  return gate
}

/** A gate that can be switched. @throws NotFoundError, ConflictError for the default gate */
export function findConfigurable(defined: DefinedGates, gate_name: string): GateDefinition {
  const gate = defined.configurable.get(gate_name)
  if (gate !== undefined) return gate
  if (gate_name !== defaultGateName) throw unknownGate(defined, gate_name)
  throw new ConflictError(
    `${defaultGateName} is always on: require_human_approval and auto_publish_threshold say which drafts pass without a person.`
  )
}

/** The default gate first, then the configurable ones by name. */
export function gateNames(defined: DefinedGates): string[] {
  const names = [...defined.configurable.keys()].sort()
  return defined.default === undefined ? names : [defaultGateName, ...names]
}

function unknownGate(defined: DefinedGates, gate_name: string): NotFoundError {
  const names = gateNames(defined)
  const others = names.length === 0 ? 'No plugin defines one' : `There is ${names.join(', ')}`
  return new NotFoundError(`There is no gate ${JSON.stringify(gate_name)}. ${others}.`)
}
