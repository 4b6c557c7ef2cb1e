/** More are not read. */
const maxNotes = 1000

const mark = /<sup[^>]*\sdata-fn="([\w-]{1,64})"[^>]*>[\s\S]*?<\/sup>/g

/**
 * HTML of a text whose footnotes stand in the meta of its post, as the block editor stores them: `[{"id", "content"}]`. Marks and
 * notes get the numbers that `htmlToMarkdown` knows.
 */
export function withFootnotes(html: string, meta: string | undefined): string {
  const notes = notesIn(meta)
  if (notes.length === 0) return html
  const numbers = new Map(notes.map(({ id }, at) => [id, at + 1]))
  const marked = html.replace(mark, (whole, id: string) => {
    const number = numbers.get(id)
    return number === undefined ? whole : `<span data-footnote="${number}">${number}</span>`
  })
  const texts = notes.map(({ content }, at) => `<div data-footnote-text="${at + 1}">${content}</div>`)
  return [marked, ...texts].join('\n')
}

interface Note {
  id: string
  content: string
}

function notesIn(meta: string | undefined): Note[] {
  const stored = meta === undefined ? [] : parsed(meta)
  return Array.isArray(stored) ? stored.slice(0, maxNotes).filter(isNote) : []
}

const isNote = (value: unknown): value is Note =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'content' in value &&
  typeof value.content === 'string'

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return []
  }
}
