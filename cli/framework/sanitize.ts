/** What moves a cursor, starts an escape sequence or forges a line. Line breaks and tabs are left. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g
/** What turns the direction of the text after it: with these a name reads as another. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
/** A terminal's own colours, as `paint` and the help write them. */
const colours = /(\u001b\[\d{1,2}m)/
const everyUnsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A text of any number of lines, as it may be shown to people: without what would steer their terminal. */
export const sanitizeText = (text: string): string =>
  text.replace(directions, '').replace(/\r\n/g, '\n').replace(controls, ' ')

/** The same on one line. */
export const sanitizeLine = (text: string): string => sanitizeText(text).replace(/[\n\t ]*[\n\t][\n\t ]*/g, ' ')

/** Everything a result holds, as it may be shown. Only data is looked into: lists and plain objects. */
export function sanitizeValue<T>(value: T): T
export function sanitizeValue(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (Array.isArray(value)) return value.map(part => sanitizeValue(part))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [sanitizeText(name), sanitizeValue(part)]))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** What leaves for stdout, whoever wrote it: only with `hasColour` may it hold colours. */
export function sanitizeOutput(text: string, { hasColour }: { hasColour: boolean }): string {
  if (!hasColour) return sanitizeText(text)
  // Every second part is a colour.
  return text
    .split(colours)
    .map((part, index) => (index % 2 === 1 ? part : sanitizeText(part)))
    .join('')
}

/** JSON that is harmless to look at: the same value, with every such character escaped. */
export const sanitizeJson = (json: string): string =>
  json.replace(everyUnsafe, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
