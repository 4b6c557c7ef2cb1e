import { escapeHtml } from '#text/html-entities'
import { hasHiddenElement } from '../conversion/hidden-elements.ts'
import { inGate } from './card-visibility.ts'
import { isRow } from './records.ts'

type Fields = Readonly<Record<string, unknown>>

/** HTML of a card of Ghost's editors, by its fields. A markdown card is left as it is, between empty lines. */
export function cardHtml(name: string, card: Fields): string {
  const html = withoutCaption(name, card)
  // A picture has its own. It is HTML.
  const caption = name === 'image' ? undefined : [card.caption, card.fileCaption].find(each => each)
  return html === '' || typeof caption !== 'string' ? html : `${html}<p>${caption}</p>`
}

function withoutCaption(name: string, card: Fields): string {
  const text = (field: string): string => (typeof card[field] === 'string' ? card[field] : '')
  const attribute = (field: string): string => escapeHtml(text(field))
  const link = (href: string, shown: string) => (href === '' ? '' : `<p><a href="${href}">${shown || href}</a></p>`)
  switch (name) {
    case 'image':
      return figure(card)
    case 'gallery':
      return (Array.isArray(card.images) ? card.images.filter(isRow) : []).map(figure).join('\n')
    case 'html':
    case 'email':
    case 'email-cta':
      return text('html')
    case 'markdown':
    case 'card-markdown': {
      const html = `<pre data-markdown>${attribute('markdown')}</pre>`
      // In markdown nothing of it can be left out.
      return hasHiddenElement(text('markdown')) ? inGate(html) : html
    }
    case 'code':
    case 'codeblock':
      return `<pre><code class="language-${text('language').replace(/[^\w+#-]/g, '')}">${attribute('code')}</code></pre>`
    case 'hr':
    case 'horizontalrule':
      return '<hr>'
    case 'bookmark': {
      const title =
        isRow(card.metadata) && typeof card.metadata.title === 'string' ? card.metadata.title : text('title')
      return link(attribute('url'), escapeHtml(title))
    }
    case 'embed':
      return link(attribute('url'), '')
    case 'audio':
    case 'video':
    case 'file':
      return link(attribute('src'), escapeHtml(text('title') || text('fileTitle') || text('fileName')))
    case 'button':
      return link(attribute('buttonUrl'), attribute('buttonText'))
    case 'callout':
      return `<blockquote>${text('calloutText')}</blockquote>`
    case 'toggle':
      return `<h4>${text('heading')}</h4>${text('content')}`
    case 'paywall':
      // It divides posts for members. What stands below it in a post for everybody is shown to everybody.
      return ''
    default:
      // Named in the report: readers will miss it.
      return `<p data-unknown-card>${name.replace(/[^\w-]/g, '')}</p>`
  }
}

function figure({ src, alt, caption }: Fields): string {
  if (typeof src !== 'string' || src === '') return ''
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(typeof alt === 'string' ? alt : '')}">`
  return typeof caption === 'string' && caption !== ''
    ? `<figure>${image}<figcaption>${caption}</figcaption></figure>`
    : `<figure>${image}</figure>`
}
