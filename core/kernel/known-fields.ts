import type { BootProblem } from '../contract/boot-error.ts'
import { isObject } from '../unknown.ts'

/** The fields of something that a plugin declares. Of a type, so that none is forgotten. */
export type KnownFields<Declared> = Readonly<Record<keyof Declared, true>>

/** The fields that nobody reads: a misspelt `isSecret` would store a secret as plain text, a misspelt `cron` would never run. */
export function unknownFieldProblems(
  plugin: string,
  { what, kind, declared, isOptions = false }: { what: string; kind: string; declared: unknown; isOptions?: boolean },
  known: Readonly<Record<string, true>>
): BootProblem[] {
  if (!isObject(declared)) return []
  const [noun, nouns] = isOptions ? ['option', 'Options'] : ['field', 'Fields']
  const remedy = `${nouns} of ${kind}: ${Object.keys(known).join(', ')}.`
  return Object.keys(declared)
    .filter(field => !Object.hasOwn(known, field))
    .map(field => ({ plugin, cause: `${what} has the unknown ${noun} ${JSON.stringify(field)}`, remedy }))
}
