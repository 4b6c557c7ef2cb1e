const blocks =
  'address|article|aside|blockquote|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video'
const blockStart = new RegExp(`(<(?:${blocks})(?=[\\s/>]))`, 'gi')
const blockEnd = new RegExp(`(</(?:${blocks})>|<hr\\b[^<>]*>)`, 'gi')
const beginsWithBlock = new RegExp(`^(?:</?(?:${blocks})[\\s/>]|<!--)`, 'i')

/**
 * HTML of a text of the classic editor, which divides paragraphs by empty lines, wherever no element does it. One of the block
 * editor is HTML already.
 */
export function htmlOf(text: string): string {
  if (text.includes('<!-- wp:')) return text
  return text
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/i)
    .map((part, index) => (index % 2 === 1 ? part : paragraphsOf(part)))
    .join('\n')
}

const paragraphsOf = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(blockStart, '\n\n$1')
    .replace(blockEnd, '$1\n\n')
    .split(/\n[ \t]*\n/)
    .map(block => block.trim())
    .filter(block => block !== '')
    .map(block => (beginsWithBlock.test(block) ? block : `<p>${block.replaceAll('\n', '<br>\n')}</p>`))
    .join('\n')

const maxNames = 20

/** Names of what looks like a shortcode: `[contact-form to="me"]`. */
export function shortcodesIn(text: string): string[] {
  const names = [...text.matchAll(/\[\/?([a-z][\w-]{1,40})(?: [^\][\n]{0,500})?\]/g)].map(([, name]) => name ?? '')
  return [...new Set(names)].sort().slice(0, maxNames)
}
