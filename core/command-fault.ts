import type { ArgDefinitions } from './command.ts'
import { type FieldErrors, InputError } from './errors.ts'

type Given = Readonly<Record<string, string | number | boolean | undefined>>

/** Longer values are cut where they are quoted. */
const longestQuote = 80

/**
 * What a command refused as input, in the words of its command line: the flag as it is typed, and the value given.
 * Anything else is answered as it is.
 */
export function asTyped(error: unknown, definitions: ArgDefinitions, args: Given): unknown {
  if (!(error instanceof InputError)) return error
  const isGeneral = error.message === new InputError({}).message
  const entries = Object.entries(error.fields).map(([field, fault]) => {
    const name = [field, field.replaceAll('_', '-')].find(word => Object.hasOwn(definitions, word))
    return { field, name, fault: name === undefined ? fault : withValue(fault, name, args[name]) }
  })
  const fields: FieldErrors = Object.fromEntries(entries.map(({ field, fault }) => [field, fault]))
  if (!isGeneral) return new InputError(fields, error.message)
  const labelOf = (name: string) => (definitions[name]?.type === 'positional' ? `<${name}>` : `--${name}`)
  const lines = entries.map(({ field, name, fault }) => `${name === undefined ? field : labelOf(name)} ${fault}`)
  return lines.length === 0 ? error : new InputError(fields, lines.join('; '))
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
  const quoted = JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text)
  if (fault.startsWith('must ')) return fault.replace(/(?=: )|$/, `, not ${quoted}`)
  return fault.startsWith('is not ') ? fault.replace(/(?=: )|$/, ` (${quoted})`) : fault
}
