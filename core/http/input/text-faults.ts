import type { FieldErrors } from '../../contract/errors.ts'
import { textFault } from '../../text-rules.ts'

/** Deeper JSON than any body here needs. */
const maxDepth = 32

/** Faults of texts and structure that no schema states, by dotted path; empty when there are none. */
export function textFaults(value: unknown): FieldErrors {
  // Nothing inherited: fields may have the name of anything.
  const faults: Record<string, string> = Object.create(null)
  collect(value, [], faults)
  return faults
}

function collect(value: unknown, path: readonly string[], faults: Record<string, string>): void {
  const here = path.length === 0 ? 'body' : path.map(printable).join('.')
  if (typeof value === 'string') {
    const fault = textFault(value)
    if (fault !== undefined) faults[here] = fault
    return
  }
  // Such as 1e999, which would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    faults[here] = 'must be a number within the range of a double'
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  if (path.length >= maxDepth) {
    faults.body = `is nested more than ${maxDepth} levels deep`
    return
  }
  for (const [key, each] of Object.entries(value)) {
    const fault = textFault(key)
    if (isPrototypeKey(key, each)) faults[[...path, key].map(printable).join('.')] = 'is not a known field'
    else if (fault !== undefined) faults[here] = `has a field whose name ${fault}`
    else collect(each, [...path, key], faults)
  }
}

/** Copied carelessly, such a field would change what every object inherits. */
function isPrototypeKey(key: string, value: unknown): boolean {
  return (
    key === '__proto__' ||
    (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
  )
}

/** Field names come from the caller: what is echoed is bounded. */
function printable(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}
