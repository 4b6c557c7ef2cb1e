import { cutText } from '#text/excerpts'

/** A heading that a line is, or that the line below underlines. What is further to the right is code. */
const headingLine = /^(?: {0,3}>)* {0,3}#{1,6}\s/
const underlined = /^(?: {0,3}>)* {0,3}[^\s>]/
const underline = /^ {0,3}(?:=+|-+)\s*$/
/** As Hugo and kramdown write attributes: `{#id .class}`, `{: #id}`. */
const atEnd = /^\{:?[ \t]*([#.][\p{L}\p{N}_-][^{}]{0,300})\}[ \t]{0,20}#{0,20}$/u
const below = /^\{:([^}]{0,300})\}\s*$/
const idIn = /(?:^|\s)#(\S+)/

/**
 * Texts of a post, without the code between them, and without what generators take from headings: readers would see it. Links to
 * such a heading name it as our pages know it.
 */
export function withoutHeadingIds(texts: readonly string[]): string[] {
  if (!texts.some(text => /\{:?[ \t]*[#.]/.test(text))) return [...texts]
  const ids = new Map<string, string>()
  const taken = new Map<string, number>()
  const plain = texts.map(text => withoutAttributes(text, { ids, taken }))
  return ids.size === 0 ? plain : plain.map(text => withNewIds(text, ids))
}

interface HeadingIds {
  /** Ours, by theirs. */
  ids: Map<string, string>
  /** How many headings have a name. */
  taken: Map<string, number>
}

function withoutAttributes(text: string, { ids, taken }: HeadingIds): string {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? ''
    if (!headingLine.test(line) && !(underlined.test(line) && underline.test(next))) continue
    const start = line.lastIndexOf('{')
    const [whole, attributes = ''] = (line[start - 1] === '{' ? null : atEnd.exec(line.slice(start).trimEnd())) ?? []
    const words = whole === undefined ? line : line.slice(0, start).trimEnd()
    lines[index] = words
    const name = headingName(words)
    const before = taken.get(name) ?? 0
    taken.set(name, before + 1)
    for (const written of [attributes, below.exec(next)?.[1] ?? '']) {
      const id = idIn.exec(written)?.[1]
      if (id !== undefined) ids.set(id, `${name}${before === 0 ? '' : `-${before}`}`)
    }
  }
  return lines.join('\n')
}

/** In links of markdown, in their definitions and in those of HTML. */
const linkToHeading = /(\]\(\s?<?|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*<?|\shref=["'])#([^\s"'<>()]+)/gm

const withNewIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  text.replace(linkToHeading, (_, before: string, id: string) => `${before}#${ids.get(id) ?? id}`)

const maxNameLength = 300

/**
 * As pages of posts know a heading in links, whatever its length: the marks of markdown have no words, and addresses in a heading are
 * none. The second of two that are alike is `part-1`, as other systems have it, too.
 */
function headingName(line: string): string {
  const words = line
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,500}\)|\[\^[^\]]{0,100}\]|<[^>]{0,500}>/g, '')
    .replace(/\]\([^)]{0,500}\)|[*`~]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '')
  return cutText(words, maxNameLength).replace(/-+$/, '')
}
