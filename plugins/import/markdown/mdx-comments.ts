import { markdownCode } from '#text/hidden-markdown'

/** Braces with a comment behind them, and code, which is passed over. An object in braces is a value. */
const opening = new RegExp(String.raw`${markdownCode.source}|(?<opener>(?<!\{)\{(?=\s{0,100}\/[*/]))`, 'gm')

/** A text without the comments of MDX: braces that hold nothing else. Takes linear time. */
export function withoutMdxComments(text: string): string {
  let shown = ''
  let from = 0
  opening.lastIndex = 0
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    if (found.groups?.opener === undefined) continue
    const end = endOfComments(text, found.index + 1)
    if (text[end] === '}') {
      shown += text.slice(from, found.index)
      from = end + 1
    }
    opening.lastIndex = Math.max(end, opening.lastIndex)
  }
  return shown + text.slice(from)
}

/** Behind blanks and comments, of which each ends with the text where nothing else ends it. */
function endOfComments(text: string, start: number): number {
  let at = start
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1
    const end = { '/*': '*/', '//': '\n' }[text.slice(at, at + 2)]
    if (end === undefined) return at
    const found = text.indexOf(end, at + 2)
    if (found === -1) return text.length
    at = found + end.length
  }
}
