/** The list of sources at the end, as the embedded writer and people write it: a heading and a numbered list. */
const sourceList = /<h[2-4]>(?:Sources|References|Bibliography|Quellen|Fuentes|Fonti|Literatur)<\/h[2-4]>\s*<ol>/gi
/** What is no running text: numbers in brackets mean something else there. */
const literal = /^<(\/?)(?:pre|code|a|kbd|h[1-6])\b/

/** Links `[1]` with its source. Footnotes are linked in the text already. */
export function linkReferences(html: string): string {
  const { head, sources, tail, count } = takeSources(html)
  if (count === 0) return html
  return inRunningText(head, part => linkSources(part, count)) + sources + tail
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
