import { isObject } from '#core'

/** A field by the first of its names that has a text; null when none has. */
export function textField(fields: Readonly<Record<string, unknown>>, ...names: string[]): string | null {
  for (const name of names) {
    const text = textOf(fields[name.toLowerCase()])
    if (text !== null) return text
  }
  return null
}

/** A list, or what is written in one line: with commas, or with blanks where `isByBlanks`. */
export function listField(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { isByBlanks = false } = {}
): string[] {
  return names.flatMap(name => {
    const value = fields[name.toLowerCase()]
    if (Array.isArray(value)) return value.flatMap(each => textOf(each) ?? [])
    const text = textOf(value)
    if (text === null) return []
    if (text.includes(',')) return text.split(',').flatMap(each => textOf(each) ?? [])
    return isByBlanks ? text.split(/\s+/) : [text]
  })
}

/** True and false, also as words. */
export function flagField(fields: Readonly<Record<string, unknown>>, name: string): boolean | null {
  const value = fields[name.toLowerCase()]
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : null
}

/** An author or a picture may be an object: its name, or its address. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() || null
  if (typeof value === 'number') return String(value)
  if (!isObject(value)) return null
  return textOf(value.name) ?? textOf(value.src) ?? textOf(value.url) ?? textOf(value.image)
}
