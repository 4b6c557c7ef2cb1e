/** Code, fenced or between ticks: what stands in it is shown as it is typed. A fence may end with the text. */
export const markdownCode =
  /^[ \t>]*(`{3,}|~{3,})[^`\n]*(?=\n)[\s\S]*?(?:\n[ \t>]*\1|(?![\s\S]))|(?<![`\\])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,2000}?(?<!`)\2(?!`)/gm

/** Comments, scripts and styles, up to the end of the text where nothing ends them. */
const hidden = String.raw`<!--[\s\S]*?(?:-->|(?![\s\S]))|<(script|style)\b[^>]{0,2000}>[\s\S]*?(?:<\/\3\s{0,9}>|(?![\s\S]))`
const hiddenOrCode = new RegExp(`${markdownCode.source}|${hidden}`, 'gim')
const mayHide = /<!--|<(?:script|style)\b/i

/** A markdown text without what its page does not show: editors' notes must not be found. Lengths are bounded, so that no text takes long. */
export function withoutHidden(markdown: string): string {
  if (!markdown.includes('<') || !mayHide.test(markdown)) return markdown
  return markdown.replace(hiddenOrCode, each => (each.startsWith('<') ? ' ' : each))
}
