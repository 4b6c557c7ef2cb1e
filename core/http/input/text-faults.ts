import type { FieldErrors } from '../../contract/errors.ts'
import { textFault } from '../../text-rules.ts'

/** Deeper JSON than any body here needs. */
const maxDepth = 32

/** So many faults of a body are said: nobody reads more, and it may have a hundred thousand. */
export const maxFaults = 100

/** Faults of texts and structure that no schema states, by dotted path; empty when there are none. The first `maxFaults` of them. */
export function textFaults(value: unknown): FieldErrors {
  const faults = new Map<string, string>()
  collect(value, [], (path, fault) => {
    if (faults.size < maxFaults || path.length === 0)
      faults.set(path.length === 0 ? 'body' : path.map(printable).join('.'), fault)
  })
  // Nothing inherited: fields may have the name of anything.
  return Object.assign(Object.create(null), Object.fromEntries(faults))
}

type Report = (path: readonly string[], fault: string) => void

/** `path` is the one array for all: a body has a hundred thousand values. */
function collect(value: unknown, path: string[], report: Report): void {
  const ofValue = faultOf(value)
  if (ofValue !== undefined) report(path, ofValue)
  const hasFields = typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
  if (hasFields && path.length >= maxDepth) report([], `is nested more than ${maxDepth} levels deep`)
  else if (hasFields)
    for (const [key, each] of Object.entries(value)) {
      const fault = textFault(key)
      if (fault !== undefined) report(path, `has a field whose name ${fault}`)
      path.push(key)
      if (isPrototypeKey(key, each)) report(path, 'is not a known field')
      else if (fault === undefined) collect(each, path, report)
      path.pop()
    }
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') return textFault(value)
  // Such as 1e999, which would be stored as null.
  const isTooLarge = typeof value === 'number' && !Number.isFinite(value)
  return isTooLarge ? 'must be a number within the range of a double' : undefined
}

/** Copied carelessly, such a field would change what every object inherits. */
function isPrototypeKey(key: string, value: unknown): boolean {
  return (
    key === '__proto__' ||
    (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
  )
}

/** Field names come from the caller: what is echoed is bounded. */
const printable = (key: string): string => (key.length > 100 ? `${key.slice(0, 100)}…` : key)
