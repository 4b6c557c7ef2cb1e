import XmlBuilder from 'fast-xml-builder'
import { asXmlText } from '#core'
import { escapeHtml, escapeMarkup } from '#text/html-entities'

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

/** Most readers take titles for HTML. One that is escaped has no end mark of CDATA. */
export const titleText = (text: string): string => escapeMarkup(asXmlText(text))
