import { escapeHtml } from '#text/html-entities'

/** Text that is HTML already: put into a template it stays as it is. Only `html` and `trusted` make one. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes. Everything but `Html` is escaped; `null`, `undefined` and `false` show nothing. */
export type Insert = Html | string | number | null | undefined | false | readonly Insert[]

/**
 * A template of HTML: html`<a href="${address}">${title}</a>`. What is put in is escaped for text and for quoted
 * attributes. So an attribute is always quoted, and nothing is put into a script, a style or a comment.
 */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Html {
  let text = strings[0] ?? ''
  inserts.forEach((insert, at) => {
    text += textOf(insert) + (strings[at + 1] ?? '')
  })
  return new Html(text)
}

function textOf(insert: Insert): string {
  if (insert instanceof Html) return insert.toString()
  if (insert === null || insert === undefined || insert === false) return ''
  if (typeof insert === 'string') return escapeHtml(insert)
  if (typeof insert === 'number') return String(insert)
  return insert.map(textOf).join('')
}

/** Marks sanitised HTML, such as the `content_html` of a post, as safe to show. Never a text that somebody typed. */
export const trusted = (sanitised: string): Html => new Html(sanitised)

/** The first line of every document. */
export const doctype = trusted('<!doctype html>')
