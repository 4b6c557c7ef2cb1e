import { asText } from '#core'
import type { Post, PublishedSite } from '#plugins/posts'
import { cutText, oneLine } from '#text/excerpts'
import { escapeHtml } from '#text/html-entities'
import type { MailText } from '../repository/sends.ts'
import { type Locale, localeFor } from '../texts/read-texts.ts'
import { htmlAsText } from './html-as-text.ts'
import { mailDocument, unsubscribePlaceholder } from './mail-frame.ts'

/** A post in a mail. */
export type MailedPost = Pick<Post, 'title' | 'excerpt' | 'content_html' | 'featured_image_url' | 'language'> & {
  /** Where readers find it. */
  url: string
}

/** Mail readers cut off what is longer: then the mail has the beginning and a link. */
const maxTextBytes = 90_000
const maxSubjectLength = 200

/** A post as a mail to all subscribers. */
export async function postMail(post: MailedPost, site: PublishedSite): Promise<MailText> {
  const locale = localeFor(post.language, site.language)
  const subject = subjectOf(post.title)
  const isWhole = Buffer.byteLength(post.content_html) <= maxTextBytes
  const lead = asText(post.excerpt ?? '')
  const html = isWhole ? forMail(post.content_html, site.home) : `<p>${escapeHtml(lead)}</p>`
  const text = isWhole ? await htmlAsText(html) : lead
  const title = asText(post.title)
  return {
    subject,
    text: `${title}\n${post.url}\n\n${text}\n${textFooter(site, locale)}`,
    html: mailDocument({
      language: post.language,
      subject,
      preview: lead,
      body: `<h1><a href="${escapeHtml(post.url)}">${escapeHtml(title)}</a></h1>
${picture(post, site.home)}${html}
<p lang="${locale.language}" dir="${locale.direction}"><a href="${escapeHtml(post.url)}">${escapeHtml(locale.text('readOnline'))}</a></p>`,
      footer: htmlFooter(site, locale)
    })
  }
}

/** Several posts as a mail: titles, beginnings and links. Newest first. */
export function digestMail(posts: readonly Omit<MailedPost, 'content_html'>[], site: PublishedSite): MailText {
  const [newest] = posts
  const locale = localeFor(site.language)
  const first = oneLine(newest?.title ?? '')
  const named = posts.length > 1 ? locale.text('andMore', { first, count: posts.length - 1 }) : first
  const subject = subjectOf(`${site.title}: ${named}`)
  const entries = posts.map(post => ({ ...post, title: asText(post.title), lead: asText(post.excerpt ?? '') }))
  return {
    subject,
    text: `${entries.map(({ title, url, lead }) => `${title}\n${url}\n${lead === '' ? '' : `\n${lead}\n`}`).join('\n\n')}${textFooter(site, locale)}`,
    html: mailDocument({
      language: site.language,
      subject,
      preview: entries.map(({ title }) => title).join(' · '),
      body: entries
        .map(
          ({ title, url, lead }) =>
            `<h2><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h2>\n<p>${escapeHtml(lead)}</p>`
        )
        .join('\n'),
      footer: htmlFooter(site, locale)
    })
  }
}

const subjectOf = (title: string): string => cutText(oneLine(asText(title)), maxSubjectLength)

function picture({ featured_image_url: url }: MailedPost, home: string): string {
  if (url === null || !/^(https?:\/\/|\/)/i.test(url)) return ''
  const absolute = url.startsWith('/') ? `${home.replace(/\/$/, '')}${url}` : url
  return `<p><img src="${escapeHtml(absolute)}" alt="" width="600" style="max-width:100%;height:auto"></p>\n`
}

/** `html` is sanitised: its attributes are quoted, and there is no `>` in them. Addresses become absolute. */
const forMail = (html: string, home: string): string =>
  html
    .replace(/(\s(?:href|src)=")\/(?!\/)/g, `$1${home.replace(/\/?$/, '/').replaceAll('$', '$$$$')}`)
    .replaceAll(' loading="lazy"', '')
    .replaceAll('<img ', '<img style="max-width:100%;height:auto" ')

const textFooter = ({ title }: PublishedSite, { text }: Locale): string =>
  `\n-- \n${text('mailReason', { title })}\n${text('unsubscribe')}: ${unsubscribePlaceholder}\n`

const htmlFooter = ({ title }: PublishedSite, locale: Locale) => ({
  locale,
  html: `<p>${escapeHtml(locale.text('mailReason', { title }))} <a href="${unsubscribePlaceholder}">${escapeHtml(locale.text('unsubscribe'))}</a></p>`
})
