/** The list of sources at the end, as the embedded writer and people write it: a heading and a numbered list. */
const sourceList = /<h[2-4]>(?:Sources|References|Bibliography|Quellen|Fuentes|Fonti|Literatur)<\/h[2-4]>\s*<ol>/gi
const noteParagraph = /<p>(\[\^[\w-]{1,40}\]:\s[\s\S]*?)<\/p>/g
const noteStart = /\n?\[\^([\w-]{1,40})\]:\s+/
/** What is no running text: numbers in brackets mean something else there. */
const literal = /^<(\/?)(?:pre|code|a|kbd|h[1-6])\b/

/** Links `[1]` with its source, and `[^note]` with its footnote, which move to the end. */
export function linkReferences(html: string): string {
  const { text, notes } = takeNotes(html)
  const { head, sources, tail, count } = takeSources(text)
  const numbers = new Map<string, number>()
  const linked = inRunningText(head, part => linkNotes(linkSources(part, count), notes, numbers))
  const linkedTail = inRunningText(tail, part => linkNotes(part, notes, numbers))
  return linked + sources + linkedTail + noteList(notes, numbers)
}

function takeNotes(html: string): { text: string; notes: Map<string, string> } {
  const notes = new Map<string, string>()
  const text = html.replace(noteParagraph, (_, definitions: string) => {
    const [, ...parts] = definitions.split(noteStart)
    for (let at = 0; at + 1 < parts.length; at += 2) notes.set(parts[at] ?? '', parts[at + 1] ?? '')
    return ''
  })
  return { text, notes }
}

/** The last list of sources, each with an id; none where it has lists inside. */
function takeSources(html: string): { head: string; sources: string; tail: string; count: number } {
  const begin = [...html.matchAll(sourceList)].at(-1)?.index ?? -1
  const end = begin < 0 ? -1 : html.indexOf('</ol>', begin)
  const list = html.slice(begin, end)
  if (end < 0 || /<[ou]l>[\s\S]*<[ou]l>/.test(list)) return { head: html, sources: '', tail: '', count: 0 }
  let count = 0
  const sources = list.replaceAll('<li>', () => `<li id="source-${++count}">`)
  return { head: html.slice(0, begin), sources, tail: html.slice(end), count }
}

/** Sanitised HTML has no `>` within a tag. */
function inRunningText(html: string, change: (text: string) => string): string {
  let depth = 0
  return html
    .split(/(<[^>]*>)/)
    .map((part, at) => {
      if (at % 2 === 0) return depth > 0 ? part : change(part)
      const found = literal.exec(part)
      if (found !== null) depth = Math.max(0, depth + (found[1] === '/' ? -1 : 1))
      return part
    })
    .join('')
}

const linkSources = (text: string, count: number): string =>
  text.replace(/\[(\d{1,3})\]/g, (mark, digits: string) => {
    const number = Number(digits)
    return number >= 1 && number <= count ? `<sup class="ref"><a href="#source-${number}">${mark}</a></sup>` : mark
  })

function linkNotes(text: string, notes: ReadonlyMap<string, string>, numbers: Map<string, number>): string {
  return text.replace(/\[\^([\w-]{1,40})\]/g, (mark, label: string) => {
    if (!notes.has(label)) return mark
    const isFirst = !numbers.has(label)
    const number = numbers.get(label) ?? numbers.size + 1
    numbers.set(label, number)
    return `<sup class="ref"><a href="#note-${number}"${isFirst ? ` id="noteref-${number}"` : ''}>${number}</a></sup>`
  })
}

function noteList(notes: ReadonlyMap<string, string>, numbers: ReadonlyMap<string, number>): string {
  if (numbers.size === 0) return ''
  const items = [...numbers].map(
    ([label, number]) =>
      `<li id="note-${number}">${notes.get(label)} <a href="#noteref-${number}" aria-label="Back to the text">↩</a></li>`
  )
  return `<section class="notes" aria-label="Footnotes"><ol>\n${items.join('\n')}\n</ol></section>`
}
