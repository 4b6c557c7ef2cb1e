/** A source without its comments, and with the contents of its strings and regular expressions blanked. Lines stay where they are. */
export const codeOf = (text: string): string => scan(text, false)

/** A source without its comments. */
export const withoutComments = (text: string): string => scan(text, true)

const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=(?:^|[(,=:[!&|?{};\n]|=>|return)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[`{}]/g

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

function scan(text: string, withStrings: boolean): string {
  const parts: string[] = []
  const depths: number[] = []
  let at = 0
  let depth = 0
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match
    parts.push(text.slice(at, match.index))
    at = match.index + found.length
    if (found === '{') depth += 1
    if (found === '}') depth -= 1
    if (found.startsWith('/*') || found.startsWith('//')) parts.push(blank(found))
    else if (found === '`' || (found === '}' && depths.at(-1) === depth)) {
      if (found === '}') depths.pop()
      const end = endOfTemplate(text, at)
      const inside = text.slice(at, end)
      parts.push(found, withStrings ? inside : blank(inside))
      at = end
      if (text[end] === '$') {
        parts.push('${')
        at += 2
        depths.push(depth)
        depth += 1
      } else {
        parts.push('`')
        at += 1
      }
    } else
      parts.push(withStrings || found.length === 1 ? found : `${found[0]}${blank(found.slice(1, -1))}${found.at(-1)}`)
    token.lastIndex = at
  }
  return parts.join('') + text.slice(at)
}

/** Where the text of a template literal ends: at its backtick, or where an expression begins. */
function endOfTemplate(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`' || (text[at] === '$' && text[at + 1] === '{')) return at
  }
  return text.length
}
