import type { Token, Tokens } from 'marked'
import { decodeHtmlEntities } from '#text/html-entities'
import { gap } from './gaps.ts'
import type { Phrases } from './phrases.ts'

/** The text of a paragraph or heading as it is read aloud: links and images by their text, no addresses, no footnotes. */
export function spokenInline(token: Token, phrases: Phrases): string {
  if (token.type === 'html') return withoutMarkup(token.raw)
  return 'tokens' in token && token.tokens !== undefined
    ? speakAll(token.tokens, phrases)
    : textOf(decodeHtmlEntities(token.raw), phrases)
}

function speakAll(tokens: readonly Token[], phrases: Phrases): string {
  const parts: string[] = []
  let isRaised = false
  for (const token of tokens) {
    if (token.type === 'html') isRaised = /^<sup\b/i.test(token.raw) || (isRaised && !/^<\/sup\b/i.test(token.raw))
    const part = speak(token, phrases)
    // A raised number is a footnote's, a raised letter is an ordinal's.
    parts.push(isRaised && /^\s*[[(]?\d+[\])]?\s*$/.test(part) ? gap : part)
  }
  return withoutNotes(parts.join(''))
}

function speak(token: Token, phrases: Phrases): string {
  switch (token.type) {
    case 'html':
      if (token.raw.startsWith('<!--')) return gap
      return /^<(?:br|wbr|hr|img)\b/i.test(token.raw) ? ' ' : ''
    case 'br':
      return ' '
    // Struck out.
    case 'del':
      return gap
    case 'image':
      return token.text.trim() === '' ? gap : asSentence(textOf(decodeHtmlEntities(token.text), phrases))
    case 'codespan':
      return textOf(token.text, phrases)
    case 'escape':
      return token.text
    case 'link':
      return isLink(token) ? linkText(token, phrases) : gap
    default:
      return spokenInline(token, phrases)
  }
}

/** A picture's text stands for itself, whatever comes after it. */
const asSentence = (text: string): string => (/[\p{L}\p{N}]\s*$/u.test(text) ? `${text.trimEnd()}. ` : text)

const isLink = (token: Token): token is Tokens.Link => token.type === 'link'

function linkText(token: Tokens.Link, phrases: Phrases): string {
  // A footnote whose definition looks like that of a link.
  if (token.text.startsWith('^')) return gap
  return speakAll(token.tokens, phrases)
}

/**
 * It may have pairs of parentheses, and ends before a mark. Chinese, Japanese, Korean and Thai set no blank after an address: there
 * it ends before their letters and marks.
 */
const closeWriting = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u3000-\u303f\uff00-\uff65`
const withinAddress = String.raw`[^\s<>"'\u0060()\]${closeWriting}]`
const pairWithin = String.raw`\([^\s()<>"'\u0060${closeWriting}]*\)`
const address = new RegExp(
  String.raw`(?:\b(?:https?|ftp):\/\/|\bwww\.)(?:${pairWithin}|${withinAddress})*(?:${pairWithin}|(?![.,;:!?])${withinAddress})`,
  'giu'
)
const mailAddress = /\b(?:mailto:)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

const textOf = (text: string, { link, mail }: Phrases): string => text.replace(address, link).replace(mailAddress, mail)

/** Footnotes: their definitions, which markdown reads as a paragraph, and their marks. */
const withoutNotes = (text: string): string =>
  text
    .replace(/^\s*\[\^[^\]\n]{1,60}\]:.*$/gm, '')
    .replace(/\[\^[^\]\n]{1,60}\]/g, gap)
    .replace(/\s?\[\d{1,3}\]/g, gap)

/** The text of an HTML block, as far as readers see it. */
const withoutMarkup = (html: string): string =>
  decodeHtmlEntities(
    html
      .replace(/<!--[\s\S]*?(?:-->|$)/g, ` ${gap}`)
      .replace(/<(script|style|template|svg|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ` ${gap}`)
      .replace(/<[^<>]*>/g, ' ')
  )
