import { escapeHtml } from '#text/html-entities'
import type { Locale } from '../texts/read-texts.ts'
import { mailDocument } from './mail-frame.ts'

/** The mail that asks whether somebody wants the newsletter. Nothing in it was typed by whoever signed up. */
export function confirmationMail({ title, locale, url }: { title: string; locale: Locale; url: string }) {
  const { text, language } = locale
  const subject = text('mailSubject', { title })
  const asked = text('mailAsked', { title })
  const otherwise = text('mailOtherwise')
  return {
    subject,
    text: `${asked}\n\n${text('mailOpen')}\n${url}\n\n${otherwise}\n`,
    html: mailDocument({
      language,
      subject,
      preview: asked,
      body: `<p>${escapeHtml(asked)}</p>
<p><a class="button" href="${escapeHtml(url)}">${escapeHtml(text('mailConfirm'))}</a></p>
<p>${escapeHtml(text('mailOr'))}<br><span dir="ltr">${escapeHtml(url)}</span></p>`,
      footer: { locale, html: `<p>${escapeHtml(otherwise)}</p>` }
    })
  }
}
