import type { Rail } from 'galley/plugins/tasks'

/** Readers react to what they are asked. */
export const closingQuestion: Rail = {
  name: 'closing_question',
  describe: 'The text asks its readers something near its end.',
  mode: 'advisory',
  threshold: 50,
  weight: 0.5,
  check({ content }) {
    const body = content.split(/^## Sources$/m, 1)[0] ?? ''
    const asks = body
      .trim()
      .split(/\n\s*\n/)
      .slice(-2)
      .some(paragraph => paragraph.includes('?'))
    return asks
      ? { score: 100, note: 'It ends with a question.' }
      : { score: 40, note: 'Nothing near its end asks the reader.' }
  }
}
