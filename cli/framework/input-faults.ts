import type { ArgDefinition, ArgDefinitions } from '../../core/contract/command.ts'
import { type FieldErrors, InputError } from '../../core/contract/errors.ts'

type Given = Readonly<Record<string, string | number | boolean | undefined>>

/** Longer values are cut where they are quoted. */
const maxQuoteLength = 80

/** The name of an argument in JSON. */
export const fieldOf = (name: string): string => name.replaceAll('-', '_')

/** An argument as help writes it. */
export const argumentLabel = (name: string, definition: ArgDefinition | undefined): string =>
  definition?.type === 'positional' ? `<${name}>` : `--${name}`

interface TypedFault {
  /** As JSON names it. */
  field: string
  /** Without the value given. */
  plain: string
  fault: string
  text: string
}

/** Faults of fields in the words of a command line: the flag as it is typed, and the value given. */
export function faultsAsTyped(fields: FieldErrors, definitions: ArgDefinitions, args: Given): TypedFault[] {
  return Object.entries(fields).map(([field, plain]) => {
    const name = [field, field.replaceAll('_', '-')].find(word => Object.hasOwn(definitions, word))
    if (name === undefined) return { field, plain, fault: plain, text: `${field} ${plain}` }
    const fault = withValue(plain, name, args[name])
    return { field: fieldOf(name), plain, fault, text: `${argumentLabel(name, definitions[name])} ${fault}` }
  })
}

/**
 * What a command refused as input, in the words of its command line: the flag as it is typed, and the value given.
 * Anything else is answered as it is.
 */
export function asTyped(error: unknown, definitions: ArgDefinitions, args: Given): unknown {
  if (!(error instanceof InputError)) return error
  const faults = faultsAsTyped(error.fields, definitions, args)
  // A message of its own may say a fault already: with the value added, it would be said again.
  const fields: FieldErrors = Object.fromEntries(
    faults.map(({ field, plain, fault }) => [
      field,
      error.hasOwnMessage && error.message.includes(plain) ? plain : fault
    ])
  )
  if (error.hasOwnMessage) return new InputError(fields, error.message)
  return faults.length === 0 ? error : new InputError(fields, faults.map(({ text }) => text).join('; '))
}

/** A value that may hold a secret, or that is said already, is not said. */
function withValue(fault: string, name: string, value: Given[string]): string {
  const isPrivate = /secret|password|url|^value$/.test(name)
  if (
    value === undefined ||
    typeof value === 'boolean' ||
    isPrivate ||
    /, not |; (it|they) ha(s|ve)|; they are/.test(fault)
  )
    return fault
  const text = String(value)
  const quoted = JSON.stringify(text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text)
  if (/^must (?!not )/.test(fault)) return fault.replace(/(?=: )|$/, `, not ${quoted}`)
  return fault.startsWith('is not ') ? fault.replace(/(?=: )|$/, ` (${quoted})`) : fault
}
