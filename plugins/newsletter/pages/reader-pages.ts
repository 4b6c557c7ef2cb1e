import { escapeHtml } from '#text/html-entities'
import type { Locale } from '../texts/read-texts.ts'
import type { ReaderTexts } from '../texts/texts.ts'
import { page } from './page.ts'

// Addresses are relative to the page: the service may lie below a path of a proxy.

interface SubscribePage {
  /** Of the site. */
  title: string
  /** The address to start with: empty, or what was typed on another page. */
  email: string
  needsCaptcha: boolean
}

export function subscribePage(locale: Locale, { title, email, needsCaptcha }: SubscribePage): string {
  const text = (key: keyof ReaderTexts) => escapeHtml(locale.text(key))
  const solving = `data-captcha data-checking="${text('checking')}" data-failed="${text('failed')}"`
  return page({
    locale,
    title: locale.text('subscribeTitle', { title }),
    hasCaptcha: needsCaptcha,
    body: `<p>${text('subscribeAbout')}</p>
<form class="newsletter" method="post" action="subscribe"${needsCaptcha ? ` ${solving}` : ''}>
<label for="newsletter-email">${text('email')}</label>
<input type="email" id="newsletter-email" name="email" required maxlength="254" autocomplete="email" dir="ltr" value="${escapeHtml(email)}">
${hiddenLanguage(locale)}${needsCaptcha ? '<input type="hidden" name="captcha" value="">\n' : ''}<button type="submit">${text('subscribe')}</button>
${needsCaptcha ? '<p role="status"></p>\n' : ''}</form>${needsCaptcha ? `\n<noscript><p>${text('needsScript')}</p></noscript>` : ''}`
  })
}

export const checkMailPage = (locale: Locale): string =>
  page({ locale, title: locale.text('mailboxTitle'), body: paragraph(locale.text('mailboxAbout')) })

/** Opening the link confirms nothing: programs that scan mails open every link. */
export const confirmPage = (locale: Locale, token: string): string =>
  page({
    locale,
    title: locale.text('confirmTitle'),
    body: `${paragraph(locale.text('confirmAbout'))}
${tokenForm(locale, { action: 'confirm', token, label: locale.text('confirm') })}`
  })

export const confirmedPage = (locale: Locale, isConfirmed: boolean): string =>
  isConfirmed
    ? page({ locale, title: locale.text('confirmedTitle'), body: paragraph(locale.text('confirmedAbout')) })
    : page({
        locale,
        title: locale.text('invalidTitle'),
        body: `${paragraph(locale.text('invalidAbout'))}
${linkToForm(locale, '../subscribe', locale.text('signUpAgain'))}`
      })

export const unsubscribePage = (locale: Locale, token: string): string =>
  page({
    locale,
    title: locale.text('unsubscribe'),
    body: `${paragraph(locale.text('leaveAbout'))}
${tokenForm(locale, { action: 'unsubscribe', token, label: locale.text('unsubscribe') })}`
  })

export const unsubscribedPage = (locale: Locale): string =>
  page({
    locale,
    title: locale.text('leftTitle'),
    body: `${paragraph(locale.text('leftAbout'))}
${linkToForm(locale, 'subscribe', locale.text('subscribeAgain'))}`
  })

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const linkToForm = ({ language }: Locale, url: string, label: string): string =>
  `<p><a href="${url}?language=${language}">${escapeHtml(label)}</a></p>`

const hiddenLanguage = ({ language }: Locale): string => `<input type="hidden" name="language" value="${language}">\n`

const tokenForm = (
  locale: Locale,
  { action, token, label }: { action: string; token: string; label: string }
): string =>
  `<form method="post" action="${action}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${hiddenLanguage(locale)}<button type="submit">${escapeHtml(label)}</button>
</form>`
