/** What is derived from a post's markdown and stored beside it. */
export interface Rendered {
  /** Sanitised; safe to put into a page as it is. */
  content_html: string
  word_count: number
  /** The first paragraph as plain text, cut between words. */
  excerpt: string
  /** The first H1 as plain text; null when there is none. */
  heading: string | null
  /** An H1 that the text begins with, as plain text: the HTML leaves it out. */
  leading_heading: string | null
}
