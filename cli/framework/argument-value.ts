import type { ArgDefinition } from '../../core/contract/command.ts'
import { textFault } from '../../core/text-rules.ts'
import { nearest } from './nearest.ts'

/** A value as the definition wants it, or what is wrong with it. The fault does not repeat the value. */
export function readValue(definition: ArgDefinition, text: string): { value: string | number } | { fault: string } {
  const { type, options, acceptsEmpty } = definition
  if (text === '' && !acceptsEmpty) return { fault: 'must not be empty' }
  if (type === 'integer' || type === 'number') return readNumber(definition, text)
  // What a command is given may end in a text that others read.
  const control = textFault(text)
  if (control !== undefined) return { fault: control }
  if (options === undefined || options.includes(text)) return { value: text }
  const [guess] = nearest(text, options)
  const hint = guess === undefined ? '' : `; did you mean ${guess}?`
  return { fault: `must be one of ${options.join(', ')}${hint}` }
}

function readNumber({ type, minimum, maximum }: ArgDefinition, text: string): { value: number } | { fault: string } {
  const form = type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(\d+(\.\d+)?|\.\d+)$/
  const value = form.test(text) ? Number(text) : Number.NaN
  const isExact = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  const isInside = value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity)
  if (isExact && isInside) return { value }
  return { fault: `must be ${type === 'integer' ? 'a whole number' : 'a number'}${boundsOf(minimum, maximum)}` }
}

function boundsOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
