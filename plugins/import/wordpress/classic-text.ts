const blockElement =
  /^<\/?(?:address|article|aside|blockquote|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video|!--)/i

/** HTML of a text of the classic editor, which divides paragraphs by empty lines. One of the block editor is HTML already. */
export function htmlOf(text: string): string {
  if (text.includes('<!-- wp:') || /<p[\s>]/i.test(text)) return text
  return text
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/i)
    .map((part, index) => (index % 2 === 1 ? part : paragraphsOf(part)))
    .join('\n')
}

const paragraphsOf = (text: string): string =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .map(block => block.trim())
    .filter(block => block !== '')
    .map(block => (blockElement.test(block) ? block : `<p>${block.replaceAll('\n', '<br>\n')}</p>`))
    .join('\n')

const maxNames = 20

/** Names of what looks like a shortcode: `[gallery ids="1,2"]`. */
export function shortcodesIn(text: string): string[] {
  const names = [...text.matchAll(/\[\/?([a-z][\w-]{1,40})(?: [^\][\n]{0,500})?\]/g)].map(([, name]) => name ?? '')
  return [...new Set(names)].sort().slice(0, maxNames)
}
