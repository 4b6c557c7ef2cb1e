/** No text has these: control characters but tab and line ends. They steer terminals, and XML has no place for them. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const allControls = new RegExp(controls, 'g')

/** Why a text is none; undefined for a text. `text` may be anybody's. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) return 'must not contain NUL or half a character (a lone surrogate)'
  const control = controls.exec(text)?.[0]
  if (control === undefined) return undefined
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `must not contain the control character U+${code}`
}

/** What is a text of what a model, a plugin or an error says: without control characters, and halves of characters replaced. */
export function asText(given: string): string {
  return given.replace(allControls, '').toWellFormed()
}
