import { escapeHtml } from '#text/html-entities'
import { mailDocument } from './mail-frame.ts'

/** The mail that asks whether somebody wants the newsletter. Nothing in it was typed by whoever signed up. */
export function confirmationMail({ title, language, url }: { title: string; language: string; url: string }) {
  const subject = `Confirm your subscription to ${title}`
  const asked = `Somebody, probably you, asked for the newsletter of ${title} at this address.`
  const otherwise = 'If it was not you, do nothing: then no newsletter comes. The link is valid for 48 hours.'
  return {
    subject,
    text: `${asked}\n\nTo confirm, open this page and press the button there:\n${url}\n\n${otherwise}\n`,
    html: mailDocument({
      language,
      subject,
      preview: asked,
      body: `<p>${escapeHtml(asked)}</p>
<p><a class="button" href="${escapeHtml(url)}">Confirm the subscription</a></p>
<p>Or open this address:<br>${escapeHtml(url)}</p>`,
      footer: `<p>${escapeHtml(otherwise)}</p>`
    })
  }
}
