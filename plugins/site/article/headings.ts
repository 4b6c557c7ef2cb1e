import { cutText, oneLine } from '#text/excerpts'
import { decodeHtmlEntities } from '#text/html-entities'

const maxIdLength = 60

/** Gives each heading an id, and leads links within the text to it: `#whats-new` to “What’s new?”, as other systems name it. */
export function withHeadingIds(html: string): string {
  const names = new Map<string, number>()
  const headings = new Map<string, number>()
  const ids = new Map<string, string>()
  const text = html.replace(/<(h[1-6])>([\s\S]*?)<\/\1>/g, (_, tag: string, inner: string) => {
    const heading = textWithoutTags(inner)
    const name = idOf(heading)
    const times = countIn(names, name)
    const id = times === 1 ? name : `${name}-${times}`
    const letters = lettersOf(heading)
    // As others name the second of two that are alike: `part-1`. Long ones may be alike in their ids alone.
    const before = countIn(headings, letters) - 1
    const key = `${letters}${before === 0 ? '' : before}`
    if (letters !== '' && !ids.has(key)) ids.set(key, id)
    return `<${tag} id="${id}">${inner}</${tag}>`
  })
  return linkHeadings(text, ids)
}

/** @returns how many times it was counted, with this one */
function countIn(counts: Map<string, number>, each: string): number {
  const times = (counts.get(each) ?? 0) + 1
  counts.set(each, times)
  return times
}

/** With a beginning of its own: the frame around the text has ids, too. */
function idOf(text: string): string {
  const words = cutText(text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-'), maxIdLength)
  return `s-${words.replace(/^-+|-+$/g, '')}`
}

/** All that different ways to make an id of a heading leave in common. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** `ids`: of the headings, by their letters. One of ours may be named without its beginning. A link to another id stays as it is. */
function linkHeadings(html: string, ids: ReadonlyMap<string, string>): string {
  if (!html.includes('<a href="#')) return html
  const known = new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id]) => id))
  return html.replace(/(<a href="#)([^"]+)"/g, (link, begin: string, fragment: string) => {
    if (known.has(fragment)) return link
    const name = decoded(decodeHtmlEntities(fragment))
    const id = ids.get(lettersOf(name)) ?? `s-${name}`
    return known.has(id) ? `${begin}${id}"` : link
  })
}

/** A fragment without its percent signs; as it is, where they stand for nothing. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The beginning of a text without its tags and without the marks of its footnotes. */
export const textWithoutTags = (html: string): string =>
  oneLine(decodeHtmlEntities(html.replace(/<sup class="ref">.*?<\/sup>|<[^>]*>/g, '')))
