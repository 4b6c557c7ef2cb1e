import type { BootProblem } from '../contract/boot-error.ts'
import { isObject } from '../unknown.ts'

/** What a field has to be, in words that complete "Give". */
interface FieldForm {
  readonly form: string
  fits(value: unknown): boolean
  readonly isRequired?: true
}

/** The fields of something that a plugin declares, with their form where a wrong one would fail later. Of a type, so that none is forgotten. */
export type KnownFields<Declared> = Readonly<Record<keyof Declared, true | FieldForm>>

/**
 * The fields that nobody reads: a misspelt `isSecret` would store a secret as plain text, a misspelt `cron` would never run.
 * Then those that have another form.
 */
export function fieldProblems(
  plugin: string,
  { what, kind, declared, isOptions = false }: { what: string; kind: string; declared: unknown; isOptions?: boolean },
  known: Readonly<Record<string, true | FieldForm>>
): BootProblem[] {
  if (!isObject(declared)) return []
  const [noun, nouns] = isOptions ? ['option', 'Options'] : ['field', 'Fields']
  const remedy = `${nouns} of ${kind}: ${Object.keys(known).join(', ')}.`
  const unknown = Object.keys(declared)
    .filter(field => !Object.hasOwn(known, field))
    .map(field => ({ plugin, cause: `${what} has the unknown ${noun} ${JSON.stringify(field)}`, remedy }))
  const malformed = Object.entries(known).flatMap(([field, rule]) => {
    if (rule === true || rule.fits(declared[field])) return []
    if (rule.isRequired !== true && declared[field] === undefined) return []
    return [{ plugin, cause: `${field} of ${what} is not ${rule.form}`, remedy: `Give ${rule.form}.` }]
  })
  return [...unknown, ...malformed]
}

export const aFunction = { form: 'a function', fits: (value: unknown) => typeof value === 'function' }

export const aText = { form: 'a text', fits: (value: unknown) => typeof value === 'string' && value.trim() !== '' }

export const anId = {
  form: 'an id of letters, digits, _ . - and /',
  fits: (value: unknown) => typeof value === 'string' && /^[\w./-]+$/.test(value)
}

export const aCount = { form: 'a number from 1', fits: (value: unknown) => typeof value === 'number' && value >= 1 }

/** The database holds no larger number in these columns. */
export const aNumber = (from: number, to = 2 ** 31 - 1) => ({
  form: `a whole number from ${from} to ${to}`,
  fits: (value: unknown) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to
})
