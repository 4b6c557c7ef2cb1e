/** One statement of a script. `line` counts from 1 within the script. */
export interface Statement {
  text: string
  line: number
}

/**
 * The forms in which a semicolon ends nothing: comments, strings (with backslashes in E''), quoted names, dollar
 * quotes, whose tags have letters of any language, and the words that open and close a body in standard SQL. Only the start of
 * what may nest is matched.
 */
const token =
  /--[^\n]*|\/\*|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$\u0080-\uffff])\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|;|\bbegin\b|\bcase\b|\bend\b/gi

/** Splits a script at the semicolons that end statements. What is only comments and blanks is left out. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = []
  let start = 0
  for (const end of statementEnds(sql)) {
    const from = skipBlank(sql, start)
    if (from < end) statements.push({ text: sql.slice(from, end).trimEnd(), line: lineAt(sql, from) })
    start = end + 1
  }
  return statements
}

function statementEnds(sql: string): number[] {
  const ends: number[] = []
  let depth = 0
  for (let at = nextToken(sql, 0); at !== undefined; at = nextToken(sql, at.after)) {
    const word = at.word.toLowerCase()
    if (word === ';' && depth === 0) ends.push(at.after - 1)
    else if (word === 'begin atomic' || (word === 'case' && depth > 0)) depth += 1
    else if (word === 'end' && depth > 0) depth -= 1
  }
  return [...ends, sql.length]
}

function nextToken(sql: string, from: number): { word: string; after: number } | undefined {
  token.lastIndex = from
  const word = token.exec(sql)?.[0]
  if (word === undefined) return undefined
  if (word === '/*') return { word, after: commentEnd(sql, token.lastIndex) }
  if (word.startsWith('$')) return { word, after: quoteEnd(sql, word, token.lastIndex) }
  if (word.toLowerCase() === 'begin') return beginToken(sql, token.lastIndex)
  return { word, after: token.lastIndex }
}

/** Only with `atomic` it opens a body: comments may stand between the two. */
function beginToken(sql: string, from: number): { word: string; after: number } {
  const atomic = /atomic\b/iy
  atomic.lastIndex = skipBlank(sql, from)
  return atomic.test(sql) ? { word: 'begin atomic', after: atomic.lastIndex } : { word: 'begin', after: from }
}

/** Block comments nest in PostgreSQL. */
function commentEnd(sql: string, from: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = from
  for (let depth = 1; depth > 0; ) {
    const found = mark.exec(sql)
    if (found === null) return sql.length
    depth += found[0] === '/*' ? 1 : -1
  }
  return mark.lastIndex
}

function quoteEnd(sql: string, tag: string, from: number): number {
  const at = sql.indexOf(tag, from)
  return at === -1 ? sql.length : at + tag.length
}

/** The first place from `from` on that is neither blank nor comment. */
function skipBlank(sql: string, from: number): number {
  const blank = /(?:\s|--[^\n]*)*/y
  blank.lastIndex = from
  blank.exec(sql)
  const at = blank.lastIndex
  return sql.startsWith('/*', at) ? skipBlank(sql, commentEnd(sql, at + 2)) : at
}

function lineAt(sql: string, at: number): number {
  return sql.slice(0, at).split('\n').length
}
