import { eachToken, type TextLanguage } from '#text'
import { withoutHidden } from '#text/hidden-markdown'

/** What search reads of a post. */
export interface PostText {
  post_no: number
  title: string
  excerpt: string
  /** Markdown, its beginning. */
  body: string
  /** The post's own, a BCP 47 tag. */
  language: string | null
  /** Counts its changes. */
  text_version: number
}

/** A post's text with the language that it is indexed in. */
export interface AnalyzedPost extends PostText {
  analyzed_as: TextLanguage
}

/** What the page of a post shows of its text. */
export const shownBody = ({ body }: Pick<PostText, 'body'>): string => withoutHidden(body)

const heading = /^[ ]{0,3}#{1,6}[ \t]+(.+)$/gm

export const headingsOf = (body: string): string[] => Array.from(body.matchAll(heading), ([, text = '']) => text)

/** The words of a title as suggestions compare them. Joined forms, too: `email` of `e-mail`. */
export function wordsOfTitle(title: string): string[] {
  const words: string[] = []
  eachToken(title, 'simple', 0, (_, __, word) => words.push(word))
  return words
}

/** No phrase reaches from one field into the next. */
export const fieldGap = 100
