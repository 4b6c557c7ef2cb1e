import { escapeHtml } from '#text/html-entities'
import type { Voice } from '../texts/read-texts.ts'
import { page } from './page.ts'

// Addresses are relative to the page: the service may lie below a path of a proxy.

interface SubscribePage {
  /** Of the site. */
  title: string
  /** The address to start with: empty, or what was typed on another page. */
  email: string
  needsCaptcha: boolean
}

export function subscribePage(voice: Voice, { title, email, needsCaptcha }: SubscribePage): string {
  const text = (key: Parameters<Voice['text']>[0]) => escapeHtml(voice.text(key))
  const solving = `data-captcha data-checking="${text('checking')}" data-failed="${text('failed')}"`
  return page({
    voice,
    title: voice.text('subscribeTitle', { title }),
    hasCaptcha: needsCaptcha,
    body: `<p>${text('subscribeAbout')}</p>
<form class="newsletter" method="post" action="subscribe"${needsCaptcha ? ` ${solving}` : ''}>
<label for="newsletter-email">${text('email')}</label>
<input type="email" id="newsletter-email" name="email" required maxlength="254" autocomplete="email" dir="ltr" value="${escapeHtml(email)}">
${hiddenLanguage(voice)}${needsCaptcha ? '<input type="hidden" name="captcha" value="">\n' : ''}<button type="submit">${text('subscribe')}</button>
${needsCaptcha ? '<p role="status"></p>\n' : ''}</form>${needsCaptcha ? `\n<noscript><p>${text('needsScript')}</p></noscript>` : ''}`
  })
}

export const checkMailPage = (voice: Voice): string =>
  page({ voice, title: voice.text('mailboxTitle'), body: paragraph(voice.text('mailboxAbout')) })

/** Opening the link confirms nothing: programs that scan mails open every link. */
export const confirmPage = (voice: Voice, token: string): string =>
  page({
    voice,
    title: voice.text('confirmTitle'),
    body: `${paragraph(voice.text('confirmAbout'))}
${tokenForm(voice, { action: 'confirm', token, label: voice.text('confirm') })}`
  })

export const confirmedPage = (voice: Voice, isConfirmed: boolean): string =>
  isConfirmed
    ? page({ voice, title: voice.text('confirmedTitle'), body: paragraph(voice.text('confirmedAbout')) })
    : page({
        voice,
        title: voice.text('invalidTitle'),
        body: `${paragraph(voice.text('invalidAbout'))}
${linkToForm(voice, '../subscribe', voice.text('signUpAgain'))}`
      })

export const unsubscribePage = (voice: Voice, token: string): string =>
  page({
    voice,
    title: voice.text('unsubscribe'),
    body: `${paragraph(voice.text('leaveAbout'))}
${tokenForm(voice, { action: 'unsubscribe', token, label: voice.text('unsubscribe') })}`
  })

export const unsubscribedPage = (voice: Voice): string =>
  page({
    voice,
    title: voice.text('leftTitle'),
    body: `${paragraph(voice.text('leftAbout'))}
${linkToForm(voice, 'subscribe', voice.text('subscribeAgain'))}`
  })

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const linkToForm = ({ language }: Voice, url: string, label: string): string =>
  `<p><a href="${url}?language=${language}">${escapeHtml(label)}</a></p>`

const hiddenLanguage = ({ language }: Voice): string => `<input type="hidden" name="language" value="${language}">\n`

const tokenForm = (voice: Voice, { action, token, label }: { action: string; token: string; label: string }): string =>
  `<form method="post" action="${action}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${hiddenLanguage(voice)}<button type="submit">${escapeHtml(label)}</button>
</form>`
