import { kindOfCodePoint, kindOfUnit, characterKinds as kinds } from './characters.ts'

/** The kind of the character at a place. Half of a surrogate pair alone is a separator. */
export function kindAt(text: string, at: number): number {
  const kind = kindOfUnit(text.charCodeAt(at))
  if (kind !== kinds.surrogate) return kind
  const codePoint = text.codePointAt(at) ?? 0
  return codePoint > 0xffff ? kindOfCodePoint(codePoint) : kinds.separator
}

/** It is one character that is a word of its own: of a script without blanks between words, or a pictograph. */
export const isUnspacedWord = (word: string): boolean =>
  word !== '' && kindAt(word, 0) === kinds.word && widthAt(word, 0) === word.length

/** UTF-16 units of the character at a place. */
export const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** Where the word that begins at a place ends. */
export function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length) {
    let kind = kindOfUnit(text.charCodeAt(end))
    let width = 1
    if (kind === kinds.surrogate) {
      kind = kindAt(text, end)
      width = widthAt(text, end)
    }
    if (kind !== kinds.letter && kind !== kinds.mark) break
    end += width
  }
  return end
}

/** A run is normalized as a whole, as its characters change each other. Its length bounds what that costs. */
const maxRun = 255

/** Where to stop normalizing: at a separator, or after 255 units. */
export function endOfComposedRun(text: string, from: number): number {
  const limit = Math.min(text.length, from + maxRun)
  let end = from
  while (end < limit && kindOfUnit(text.charCodeAt(end)) !== kinds.separator) end += 1
  return end
}
