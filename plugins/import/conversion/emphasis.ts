import type TurndownService from 'turndown'
import { charAt, charBeside, type InlineNode, isWithinLine } from './inline-nodes.ts'

/** Elements that markdown has a mark for. */
const forms = [
  { names: ['STRONG', 'B'], tag: 'strong', mark: '**' },
  { names: ['EM', 'I'], tag: 'em', mark: '*' },
  { names: ['DEL', 'S', 'STRIKE'], tag: 'del', mark: '~~' }
] as const

/** An element, and the blanks at its ends, which turndown writes outside of it. */
interface Emphasis extends InlineNode {
  flankingWhitespace?: { leading: string; trailing: string }
}

const isBlank = /^\s*$/
/** Of markdown within an element of a line. */
export const endsParagraph = /\n[ \t]*\n/
const isPunctuation = /[\p{P}\p{S}]/u
/** Without marks, which programs read together with these. */
const isAsciiPunctuation = /[!-)+-/:-@[-`{}|]/

/**
 * Marks of markdown where they are read as such, else the element as it is: `<strong>Note:</strong>that`. As CommonMark has it,
 * marks beside punctuation within need a blank or punctuation outside. Around other marks, programs agree on words only.
 */
export function addEmphasis(service: TurndownService): void {
  for (const { names, tag, mark } of forms)
    service.addRule(tag, {
      filter: node => names.some(name => name === node.nodeName),
      replacement: (content, node: Emphasis) => {
        // Emphasis ends with its paragraph, and within another says nothing.
        if (isBlank.test(content) || endsParagraph.test(content) || isWithinLine(node, names)) return content
        return canUseMarks(content, node, mark) ? `${mark}${content}${mark}` : `<${tag}>${content}</${tag}>`
      }
    })
}

function canUseMarks(content: string, node: Emphasis, mark: string): boolean {
  const { leading = '', trailing = '' } = node.flankingWhitespace ?? {}
  const before = leading === '' ? charBeside(node, 'previousSibling') : ' '
  const after = trailing === '' ? charBeside(node, 'nextSibling') : ' '
  const hasMarks = /[*~]/.test(content)
  const canDelimit = (outside: string, inside: string) => {
    if (mark.startsWith(outside || '\n') || mark.startsWith(inside)) return false
    const isBoundary = isBlank.test(outside) || isAsciiPunctuation.test(outside)
    const isWord = !isPunctuation.test(inside)
    return hasMarks ? isBoundary && isWord : isBoundary || isWord
  }
  return canDelimit(before, charAt(content, 'nextSibling')) && canDelimit(after, charAt(content, 'previousSibling'))
}
