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

interface ArgumentFault {
  /** As JSON names it. */
  field: string
  /** Without the value given. */
  plain: string
  fault: string
  text: string
}

/** Faults of fields in the words of a command line: the flag as it is typed, and the value given. */
export function argumentFaults(fields: FieldErrors, definitions: ArgDefinitions, args: Given): ArgumentFault[] {
  return Object.entries(fields).map(([field, plain]) => {
    const name = [field, field.replaceAll('_', '-')].find(word => Object.hasOwn(definitions, word))
    const definition = name === undefined ? undefined : definitions[name]
    if (name === undefined || definition === undefined) return { field, plain, fault: plain, text: `${field} ${plain}` }
    const fault = withGiven(plain, definition, args[name])
    return { field: fieldOf(name), plain, fault, text: `${argumentLabel(name, definition)} ${fault}` }
  })
}

/**
 * What a command refused as input, in the words of its command line: the flag as it is typed, and the value given.
 * Any other error is returned as it is.
 */
export function withArgumentNames(error: unknown, definitions: ArgDefinitions, args: Given): unknown {
  if (!(error instanceof InputError)) return error
  const faults = argumentFaults(error.fields, definitions, args)
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

/** A fault with the value that has it. A secret is not repeated, and a boolean or an empty text says nothing. */
export function withGiven(fault: string, { isSecret }: ArgDefinition, value: Given[string]): string {
  if (isSecret || value === undefined || typeof value === 'boolean' || value === '') return fault
  const text = String(value)
  return `${fault} (given: ${JSON.stringify(text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text)})`
}
