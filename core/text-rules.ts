/** `#core/text-rules`: also for modules that a child process reads, which import few others. */

/** Control characters other than tab and line ends. They control terminals, and XML does not allow them. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const allControls = new RegExp(controls, 'g')

/** What is wrong with a text from anybody; undefined when nothing is. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) return 'must not contain NUL or half a character (a lone surrogate)'
  const control = controls.exec(text)?.[0]
  if (control === undefined) return undefined
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `must not contain the control character U+${code}`
}

/** Cleans a text of a model, a plugin or an error: without control characters, and with lone surrogates replaced. */
export const asText = (given: string): string => given.replace(allControls, '').toWellFormed()

/** The same for XML 1.0, which has no place for two non-characters either, escaped or not. */
export const asXmlText = (given: string): string => asText(given).replace(/[\ufffe\uffff]/g, '')
