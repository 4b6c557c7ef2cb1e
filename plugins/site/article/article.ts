import { cutText } from '#text/excerpts'
import { textWithoutTags, withHeadingIds } from './headings.ts'
import { linkReferences } from './references.ts'

/**
 * A post's sanitised HTML as its page shows it: headings can be linked to, sources are linked, and what is
 * wider than the page scrolls by itself. `basePath` is the path that the site lies under, without a slash at the end.
 */
export function articleHtml(content_html: string, basePath: string): string {
  const linked = withHeadingIds(linkReferences(content_html)).replaceAll('<pre>', '<pre tabindex="0">')
  const text = withImages(withTables(withTasks(linked)))
  return basePath === '' ? text : text.replace(/(\s(?:href|src)=")\/(?!\/)/g, `$1${basePath}/`)
}

/** An item of a task list has its box for a bullet. */
const withTasks = (html: string): string => html.replace(/<li>(?=\s*(?:<p>)?[☐☑] )/g, '<li class="task">')

/** Most texts have none: each look for one of its tags is one through the whole text. */
function withTables(html: string): string {
  if (!html.includes('<table')) return html
  return (
    html
      // A heading without words heads nothing; a table without any has none.
      .replace(/<th((?: [a-z]+="\w+")*)>\s*<\/th>/g, '<td$1></td>')
      .replace(/<thead>\s*<tr>\s*(?:<td[^>]*><\/td>\s*)+<\/tr>\s*<\/thead>\s*/g, '')
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
  )
}

function withImages(html: string): string {
  if (!html.includes('<img ')) return html
  return html
    .replace(
      undescribedImageLink,
      (_, link: string, address: string, image: string) => `${link} aria-label="${nameIn(address)}">${image}</a>`
    )
    .replaceAll('<img ', '<img decoding="async" ')
}

/** A link with nothing but a picture that nobody described. */
const undescribedImageLink = /(<a href="([^"]*)"[^>]*)>\s*(<img(?![^>]*\salt="[^"])\s[^>]*>)\s*<\/a>/g

/** What the address of a file says to people: `img_8399` of `https://example.org/img_8399.jpg`. It is escaped already. */
const nameIn = (address: string): string =>
  /([^/]+?)(?:\.\w{1,5})?\/?$/.exec(address.replace(/[?#].*$/, ''))?.[1] ?? address

/** As much of an excerpt as tells it from another. */
const comparedLength = 80

/** Whether a text begins with its excerpt, as one that was made from the text does. */
export function beginsWith(content_html: string, excerpt: string): boolean {
  const paragraph = /^\s*<p>([\s\S]*?)<\/p>/.exec(content_html)?.[1] ?? ''
  return textWithoutTags(paragraph).startsWith(cutText(excerpt.replace(/…$/, ''), comparedLength))
}
