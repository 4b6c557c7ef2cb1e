import { paint, type TerminalFormat, table } from '#cli'
import type { SearchResult } from '../search.ts'

export interface SearchResultPage {
  readonly items: readonly SearchResult[]
  readonly total: number
  readonly offset: number
}

const indent = '        '
const minColumns = 40
const maxColumns = 100

/** What a search found, for people: each post in a row, what it says of the words under it. */
export function searchResultsText({ items, total, offset }: SearchResultPage, terminal: TerminalFormat): string {
  const rows = items.map(post => [post.score.toFixed(4), post.slug, post.title])
  const [heading = '', ...lines] = table(
    [{ heading: 'SCORE', dropOrder: 1 }, { heading: 'SLUG' }, { heading: 'TITLE', isText: true, dropOrder: 2 }],
    rows,
    terminal
  ).split('\n')
  const parts = lines.map((line, at) => [line, ...snippetLines(items[at]?.snippet ?? '', terminal)].join('\n'))
  return items.length === 0 ? nothing(total, offset) : [heading, ...parts, `${items.length} of ${total}`].join('\n')
}

const nothing = (total: number, offset: number) =>
  total === 0
    ? 'No public post has these words or comes near them.'
    : `No post from ${offset + 1} on: ${total} were found. A smaller --offset shows them.`

/** HTML as a terminal shows it: wrapped at blanks, and without what would move the cursor. */
function snippetLines(html: string, terminal: TerminalFormat): string[] {
  const width = Math.max(minColumns, Math.min(terminal.columns ?? maxColumns, maxColumns))
  const lines: string[] = []
  let line: string[] = []
  let used = indent.length
  const end = () => lines.push(indent + line.join(' '))
  for (const word of html.split(/[\s\u0000-\u001f\u007f-\u009f]+/).filter(each => each !== '')) {
    const length = unescaped(word.replace(/<\/?mark>/g, '')).length + 1
    if (line.length > 0 && used + length > width) {
      end()
      line = []
      used = indent.length
    }
    line.push(unescaped(word.replace(/<mark>(.*?)<\/mark>/g, (_, found: string) => paint(found, 'bold', terminal))))
    used += length
  }
  if (line.length > 0) end()
  return lines
}

const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

const unescaped = (html: string) => html.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => characters[entity] ?? entity)
