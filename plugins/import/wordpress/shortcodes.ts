import { pictureElement } from '../staging/picture-number.ts'
import { partsByCode } from './code-parts.ts'
import { gatingNames } from './restrictions.ts'

/** Shortcodes that WordPress itself has, and those of code that its service has. */
const names = 'caption|wp_caption|embed|audio|video|gallery|youtube|vimeo|code|sourcecode'
const tag = new RegExp(`\\[(\\/?)(${names})\\b([^[\\]]{0,2000})\\]`, 'g')

/** A known shortcode in a second pair of brackets. Names have their case, as in WordPress. */
const literal = (known: string): RegExp =>
  new RegExp(`\\[(\\[(${known})(?:\\s[^[\\]]{0,2000})?\\](?:[^[\\]]{0,2000}\\[/\\2\\])?)\\]`, 'g')
const literalInProse = new RegExp(`(?<![\\w)\\]])${literal(`${names}|playlist|${gatingNames}`).source}`, 'g')
const literalInCode = literal(names)

/**
 * HTML of a text in which `[[gallery]]` is the text `[gallery]`, as WordPress shows it. That is so only with shortcodes that it
 * knows: other brackets are somebody's program, or a link of a wiki. A program may have the words that gate, too.
 */
export const withLiteralShortcodes = (text: string): string =>
  partsByCode(text)
    .map(({ part, isCode }) =>
      part.replace(isCode ? literalInCode : literalInProse, (_, known: string) => asLiteral(known))
    )
    .join('')

const asLiteral = (shortcode: string): string => shortcode.replaceAll('[', '&#91;').replaceAll(']', '&#93;')

/** HTML of a text without the shortcodes that HTML has elements for. `post_id`: of the post, whose pictures a gallery shows. */
export function withoutShortcodes(text: string, post_id: string): string {
  const tags = [...text.matchAll(tag)]
  const parts: string[] = []
  let position = 0
  for (const [index, found] of tags.entries()) {
    const [whole, slash, name = '', written = ''] = found
    if (slash === '/' || found.index < position) continue
    const next = tags[index + 1]
    const isClosed = next?.[1] === '/' && next[2] === name
    const start = found.index + whole.length
    const body = isClosed ? text.slice(start, next.index) : ''
    const html = htmlOfShortcode(name, { attributes: attributesOf(written), written, body, post_id })
    if (html === null) continue
    parts.push(text.slice(position, found.index), html)
    position = isClosed ? next.index + next[0].length : start
  }
  return [...parts, text.slice(position)].join('')
}

interface Shortcode {
  attributes: ReadonlyMap<string, string>
  written: string
  body: string
  post_id: string
}

function htmlOfShortcode(name: string, { attributes, written, body, post_id }: Shortcode): string | null {
  if (name === 'caption' || name === 'wp_caption') return captioned(body, attributes.get('caption') ?? '')
  if (name === 'gallery') return gallery(attributes.get('ids') ?? attributes.get('include'), post_id)
  if (name === 'code' || name === 'sourcecode') {
    const language = attributes.get('language') ?? attributes.get('lang') ?? ''
    return body === '' ? null : `<pre><code class="language-${language.replace(/[^\w+#-]/g, '')}">${body}</code></pre>`
  }
  const address = body.trim() || ['src', 'mp4', 'mp3', 'url'].map(each => attributes.get(each)).find(Boolean)
  const shown = address ?? /https?:\/\/[^\s"'<>]+/.exec(written)?.[0]
  return shown === undefined || !/^https?:\/\/[^\s"'<>]+$/.test(shown)
    ? null
    : `\n\n<a href="${shown}">${shown}</a>\n\n`
}

function attributesOf(written: string): Map<string, string> {
  const found = written.matchAll(/([\w-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g)
  return new Map(
    [...found].map(([, name = '', double, single, unquoted]) => [name, double ?? single ?? unquoted ?? ''])
  )
}

/** A picture, perhaps linked, and its caption behind it or, in old versions, in an attribute. */
function captioned(body: string, attribute: string): string {
  const linkEnd = body.indexOf('</a>')
  const end = linkEnd === -1 ? body.indexOf('>', body.indexOf('<img')) + 1 : linkEnd + 4
  const caption = body.slice(end).trim() || attribute
  return `\n\n<figure>${body.slice(0, end).trim()}<figcaption>${caption}</figcaption></figure>\n\n`
}

/** The pictures stand in the export behind the post, as a rule: they are named by number. */
function gallery(ids: string | undefined, post_id: string): string {
  const numbers = (ids ?? '').split(',').map(id => id.trim())
  const names = ids === undefined ? [`of-${post_id}`] : numbers
  return `\n\n${names.flatMap(name => (/^(?:of-)?\d+$/.test(name) ? pictureElement(name) : [])).join('\n')}\n\n`
}
