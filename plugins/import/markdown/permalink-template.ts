/** More than anybody writes by hand: a longer one is not looked into. */
const maxLength = 1000

const tag = /(\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}\}?|<%[\s\S]*?%>)/
/** Of Liquid and Nunjucks, and of Handlebars. */
const blockStart = /^(?:\{%[-+]?\s*(?:if|ifchanged|unless|case|for|tablerow)\b|\{\{\{?~?\s*[#^])/
const blockEnd = /^(?:\{%[-+]?\s*end(?:if|ifchanged|unless|case|for|tablerow)\b|\{\{\{?~?\s*\/)/
const branch = /^(?:\{%[-+]?\s*(?:else|elsif|elseif|elif|when)\b|\{\{~?\s*else\b)/
/** Without a condition of its own. */
const lastBranch = /^(?:\{%[-+]?\s*else\s*[-+]?%\}|\{\{~?\s*else\s*~?\}\})$/
/** Of EJS: what it decides is not looked into. */
const program = /^<%[^-=#]/
const output = /^(?:\{\{|<%[-=])/
/** What an output may depend on, or what is nothing. */
const condition = /\b(?:if|and|or|not|false|null|nil|none|undefined)\b|[?!]|&&|\|\||""|''/i

/** A block with its branches, or the whole template. */
interface Block {
  text: string
  /** Each branch that has ended has a text. */
  isWhole: boolean
  hasElse: boolean
}

/** Whether a template of a permalink may come to nothing, or to `false`: Eleventy makes no page then. */
export function mayBeEmpty(template: string): boolean {
  if (template.length > maxLength) return true
  const parts = template.split(tag)
  if (parts.length === 1) return false
  if (parts.some(part => program.test(part))) return true
  const whole = { text: '', isWhole: true, hasElse: false }
  const blocks: Block[] = [whole]
  for (const part of parts) {
    const block = blocks.at(-1) ?? whole
    if (blockStart.test(part)) blocks.push({ text: '', isWhole: true, hasElse: false })
    else if (branch.test(part)) endBranch(block, lastBranch.test(part))
    else if (blockEnd.test(part)) {
      blocks.pop()
      endBranch(block, false)
      const around = blocks.at(-1)
      if (around !== undefined && block.hasElse && block.isWhole) around.text += 'x'
    } else block.text += textOf(part)
  }
  return blocks.length !== 1 || !hasText(whole)
}

function endBranch(block: Block, isLast: boolean): void {
  block.isWhole &&= hasText(block)
  block.hasElse ||= isLast
  block.text = ''
}

/** Of an output something, unless it may be empty; of what is run nothing. */
function textOf(part: string): string {
  if (!tag.test(part)) return part
  // Words in quotes are no conditions, and empty ones are nothing.
  const plain = part.replace(/"[^"]*"|'[^']*'/g, quoted => (quoted.length > 2 ? 'x' : quoted))
  return output.test(part) && !condition.test(plain) ? 'x' : ''
}

const hasText = ({ text }: Block): boolean => !['', 'false'].includes(text.trim().toLowerCase())
