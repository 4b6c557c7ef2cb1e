import { stripTypeScriptTypes } from 'node:module'
import { type Node, parse } from 'acorn'
import { withoutComments } from './source-text.ts'

/** A function of a source, however it is written. */
export interface FunctionSize {
  /** Where it begins. */
  line: number
  /** Those of the functions inside of it, too. */
  statements: number
  /** Without blank ones and those of comments. */
  lines: number
}

export function functionsIn(source: string): FunctionSize[] {
  // Types become blanks, so that every line stays where it is.
  const code = stripTypeScriptTypes(source)
  const isCode = withoutComments(source)
    .split('\n')
    .map(line => line.trim() !== '')
  const root = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  const found: FunctionSize[] = []
  visit(root, node => {
    if (!isFunction(node) || node.loc == null) return
    const { start, end } = node.loc
    const lines = isCode.slice(start.line - 1, end.line).filter(Boolean).length
    found.push({ line: start.line, statements: statementsIn(node), lines })
  })
  return found
}

const isFunction = ({ type }: Node): boolean => /^(?:Function|ArrowFunction)/.test(type)

function statementsIn(node: Node): number {
  let count = 0
  visit(node, ({ type }) => {
    if (/(?:Statement|Declaration)$/.test(type) && type !== 'BlockStatement') count += 1
  })
  return count
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, look)
  else if (isNode(value)) {
    look(value)
    for (const part of Object.values(value)) visit(part, look)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
