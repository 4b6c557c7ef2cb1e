/** As much of a node as the rules for a line ask for. */
export interface InlineNode {
  nodeName: string
  nodeType: number
  textContent: string | null
  parentNode: InlineNode | null
  previousSibling: InlineNode | null
  nextSibling: InlineNode | null
  firstChild: InlineNode | null
  lastChild: InlineNode | null
}

export interface InlineElement extends InlineNode {
  getAttribute(name: string): string | null
  querySelector(selector: string): InlineElement | null | undefined
}

export type Side = 'previousSibling' | 'nextSibling'

/** Elements without a form in markdown that stand in a line. Posts may have them as they are. */
export const retainedInline = ['SUB', 'SUP', 'KBD', 'MARK', 'INS', 'SMALL', 'ABBR', 'Q', 'CITE']

const marks: ReadonlyMap<string, string> = new Map([
  ['STRONG', '*'],
  ['B', '*'],
  ['EM', '*'],
  ['I', '*'],
  ['DEL', '~'],
  ['S', '~'],
  ['STRIKE', '~'],
  ['CODE', '`'],
  ['A', '<'],
  ...retainedInline.map(name => [name, '<'] as const)
])
const blocks =
  /^(?:ARTICLE|ASIDE|BLOCKQUOTE|BODY|BR|D[DLT]|DIV|FIGCAPTION|FIGURE|FOOTER|H[1-6R]|HEADER|HTML|LI|MAIN|NAV|OL|P|PRE|SECTION|TABLE|TBODY|T[DHR]|TFOOT|THEAD|UL|X-TURNDOWN)$/
const isElement = 1

/** The character that stands beside a node in markdown: '' where its block begins or ends. */
export function charBeside(node: InlineNode, side: Side): string {
  for (let beside = node[side]; beside !== null; beside = beside[side]) {
    const found = edgeOf(beside, side)
    if (found !== '') return found
  }
  const { parentNode: parent } = node
  if (parent === null || blocks.test(parent.nodeName)) return ''
  // Its own mark, or its tag.
  return marks.has(parent.nodeName) ? '<' : charBeside(parent, side)
}

/** The character that a node begins or ends with in markdown, seen from a side; '' for one without text or picture. */
function edgeOf(node: InlineNode, side: Side): string {
  if (node.nodeType !== isElement) return charAt(node.textContent ?? '', side)
  if (blocks.test(node.nodeName)) return '\n'
  if (node.nodeName === 'IMG') return '<'
  const inner = edgeOfChildren(node, side)
  return inner === '' ? '' : (marks.get(node.nodeName) ?? inner)
}

function edgeOfChildren(node: InlineNode, side: Side): string {
  for (let child = side === 'previousSibling' ? node.lastChild : node.firstChild; child !== null; child = child[side]) {
    const found = edgeOf(child, side)
    if (found !== '') return found
  }
  return ''
}

export const charAt = (text: string, side: Side): string =>
  Array.from(side === 'previousSibling' ? text.slice(-2) : text.slice(0, 2)).at(side === 'previousSibling' ? -1 : 0) ??
  ''

export function isWithin(node: Pick<InlineNode, 'parentNode'>, names: readonly string[]): boolean {
  for (let outer = node.parentNode; outer !== null; outer = outer.parentNode)
    if (names.includes(outer.nodeName)) return true
  return false
}

/** Within one of these in the same block: what is around blocks becomes nothing. */
export function isWithinLine(node: Pick<InlineNode, 'parentNode'>, names: readonly string[]): boolean {
  for (let outer = node.parentNode; outer !== null && !blocks.test(outer.nodeName); outer = outer.parentNode)
    if (names.includes(outer.nodeName)) return true
  return false
}
