import { ConflictError, NotFoundError } from '#core'
import { type DefaultGate, defaultGateName, type GateDefinition, type SubjectIds } from './index.ts'

/** What plugins have defined. */
export interface DefinedGates {
  readonly configurable: Map<string, GateDefinition>
  default: DefaultGate | undefined
  readonly subjectIds: SubjectIds[]
}

/** @throws TypeError for a name that is taken */
export function addGate(defined: DefinedGates, gate: GateDefinition): void {
  if (defined.configurable.has(gate.gate_name) || gate.gate_name === defaultGateName)
    throw new TypeError(`the gate ${gate.gate_name} is defined twice`)
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
