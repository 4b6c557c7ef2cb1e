import { cutText, oneLine } from '#text/excerpts'
import { decodeHtmlEntities } from '#text/html-entities'

const maxIdLength = 60

/** Gives each heading an id, and leads links within the text to it: `#whats-new` to “What’s new?”, as other systems name it. */
export function withHeadingIds(html: string): string {
  const taken = new Map<string, number>()
  const ids = new Map<string, string>()
  const text = html.replace(/<(h[1-6])>([\s\S]*?)<\/\1>/g, (_, tag: string, inner: string) => {
    const heading = textWithoutTags(inner)
    const name = idOf(heading)
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    const id = times === 1 ? name : `${name}-${times}`
    // As others name the second of two that are alike: `part-1`.
    const letters = `${lettersOf(heading)}${times === 1 ? '' : times - 1}`
    if (letters !== '' && !ids.has(letters)) ids.set(letters, id)
    return `<${tag} id="${id}">${inner}</${tag}>`
  })
  return linkHeadings(text, ids)
}

/** With a beginning of its own: the frame around the text has ids, too. */
function idOf(text: string): string {
  const words = cutText(text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-'), maxIdLength)
  return `s-${words.replace(/^-+|-+$/g, '')}`
}

/** All that different ways to make an id of a heading leave in common. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** `ids`: of the headings, by their letters. A link to another id stays as it is. */
function linkHeadings(html: string, ids: ReadonlyMap<string, string>): string {
  if (!html.includes('<a href="#')) return html
  const known = new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id]) => id))
  return html.replace(/(<a href="#)([^"]+)"/g, (link, begin: string, fragment: string) => {
    const id = known.has(fragment) ? undefined : ids.get(lettersOf(decoded(decodeHtmlEntities(fragment))))
    return id === undefined ? link : `${begin}${id}"`
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
