import sanitizeHtml from 'sanitize-html'
import { withoutCode } from '#text/hidden-markdown'

/** A text that has none of these has no element that is hidden: styles may have comments, and references for each character. */
const mayHide = /hidden|none|<(?:dialog|datalist)\b|style[^<>]{0,2000}&#/i
/** One that nobody ends goes on to the end of the style. */
const styleComment = /\/\*[\s\S]*?(?:\*\/|$)/g
const hidingStyle = /(?:^|[;{\s])(?:display\s*:\s*["']?none|visibility\s*:\s*["']?hidden)(?![\w-])/i
/** Of what is never in a paragraph the parser does not know these: it would have `</p>` end what they hide. */
const endOfParagraph = 'center|dialog|dir|hgroup|menu|search'
/** What goes on in what follows the paragraph, or keeps it open. */
const goesOn =
  'a|applet|b|big|button|caption|code|em|font|i|marquee|nobr|object|s|small|strike|strong|svg|td|template|th|tt|u'
const tagNearParagraph = new RegExp(`<(?:(${endOfParagraph})|p|(\\/?)(?:${goesOn}))(?=[\\s/>])`, 'gi')
/** Where scripts find the picture that they show later. */
const lazyAttribute = /^data-(?:lazy|src|original|orig)/

/** HTML without what no reader saw of it: `elements` names what was left out. Runs in a child process. */
export function withoutHiddenElements(html: string): { html: string; elements: string[] } {
  if (!mayHide.test(html)) return { html, elements: [] }
  const elements: string[] = []
  const shown = sanitizeHtml(withEndsOfParagraphs(html), {
    allowedTags: false,
    allowedAttributes: false,
    // Those that have no value stay, too.
    nonBooleanAttributes: [],
    allowedSchemesAppliedToAttributes: [],
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    exclusiveFilter({ tag, attribs, text, mediaChildren }) {
      const isLeftOut = isHidden(tag, attribs)
      // One that has nothing in it is a place to link to.
      const isEmpty = tag !== 'img' && text.trim() === '' && mediaChildren.length === 0
      if (isLeftOut && !isEmpty) elements.push(`hidden ${tag}`)
      return isLeftOut
    }
  })
  return elements.length === 0 ? { html, elements } : { html: shown, elements }
}

/** As a browser does, ends paragraphs before what is never in one. What is hidden and goes on there stays whole. */
function withEndsOfParagraphs(html: string): string {
  let depth = 0
  return html.replace(tagNearParagraph, (tag: string, ending?: string, slash?: string) => {
    if (ending !== undefined) return depth === 0 ? `</p>${tag}` : tag
    depth = slash === undefined ? 0 : Math.max(0, depth + (slash === '' ? 1 : -1))
    return tag
  })
}

/** Whether markdown has such an element. What it hides may be code, or the address of a film, in which there are no elements. */
export const hasHiddenElement = (markdown: string): boolean =>
  markdown.includes('<') &&
  withoutHiddenElements(withoutCode(markdown, 'code').replace(/\\<|<(?=https?:)/g, '')).elements.length > 0

function isHidden(tag: string, attributes: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(attributes)
  // A browser opens it for who searches the page.
  if ('hidden' in attributes && attributes.hidden !== 'until-found') return true
  if ((tag === 'dialog' && !('open' in attributes)) || tag === 'datalist') return true
  if (tag === 'img' && names.some(name => lazyAttribute.test(name))) return false
  const { style = '' } = attributes
  // In JSX it is an object, whose blanks divide it into attributes here.
  const text = style.startsWith('{') ? names.map(name => `${name} ${attributes[name]}`).join(' ') : style
  return hidingStyle.test(text.replace(styleComment, ''))
}
