import XmlBuilder from 'fast-xml-builder'
import { asXmlText } from '#core'
import { escapeHtml } from '#text/html-entities'

/** An element: a text, its attributes (`@_name`) with its children, or several of one name. */
export interface XmlElement {
  [name: string]: string | XmlElement | readonly (string | XmlElement)[] | undefined
}

const builder = new XmlBuilder({
  ignoreAttributes: false,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  cdataPropName: '#cdata'
})

export function xmlText(root: XmlElement): string {
  return builder.build({ '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' }, ...root })
}

/** A text that readers take as it stands. */
export const plainText = asXmlText

/** HTML that readers show: in CDATA, which its own end mark must not end. */
export const htmlText = (html: string): string => asXmlText(html).replaceAll(']]>', ']]&gt;')

/** A text for readers that take it for HTML. */
export const escapedText = (text: string): string => htmlText(escapeHtml(text))

/** What HTML reads as a character reference, some of them without a semicolon. Other & stay as they are, for readers who take titles as they stand. */
const reference = /&(?=#|[A-Za-z][A-Za-z0-9])/g

/** Most readers take titles for HTML: a title must bring neither a tag nor a reference, nor the end mark of CDATA. */
export const titleText = (text: string): string =>
  asXmlText(text).replace(reference, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
