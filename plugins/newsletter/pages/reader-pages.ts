import { escapeHtml } from '#text/html-entities'
import { page } from './page.ts'
import { signupForm } from './signup-form.ts'

// Addresses are relative to the page: the service may lie below a path of a proxy.

/** What a reader types into: the address to start with is empty, or what was typed on another page. */
export function subscribePage({ title, email, needsCaptcha }: { title: string; email: string; needsCaptcha: boolean }) {
  const noScript = needsCaptcha
    ? '\n<noscript><p>This form needs JavaScript: it keeps machines from signing up other people.</p></noscript>'
    : ''
  return page({
    title: `Newsletter of ${title}`,
    hasCaptcha: needsCaptcha,
    body: `<p>New posts by e-mail. You can leave with one click in every mail.</p>
${signupForm({ action: 'subscribe', email, needsCaptcha })}${noScript}`
  })
}

export const checkMailPage = (message: string): string =>
  page({ title: 'Look into your mailbox', body: `<p>${escapeHtml(message)}</p>` })

/** Opening the link confirms nothing: programs that scan mails open every link. */
export const confirmPage = (token: string): string =>
  page({
    title: 'Confirm your subscription',
    body: `<p>One click, and the newsletter comes to you.</p>
${tokenForm('confirm', token, 'Confirm')}`
  })

export const confirmedPage = (isConfirmed: boolean): string =>
  isConfirmed
    ? page({ title: 'You are subscribed', body: '<p>The next newsletter comes to you.</p>' })
    : page({
        title: 'This link is no longer valid',
        body: '<p>It was used already, or is older than 48 hours. If you are not subscribed yet, <a href="../subscribe">sign up again</a>.</p>'
      })

export const unsubscribePage = (token: string): string =>
  page({
    title: 'Unsubscribe',
    body: `<p>One click, and no more newsletters come to you.</p>
${tokenForm('unsubscribe', token, 'Unsubscribe')}`
  })

export const unsubscribedPage = (): string =>
  page({
    title: 'You are unsubscribed',
    body: '<p>No more newsletters come to you. You can <a href="subscribe">subscribe again</a> at any time.</p>'
  })

const tokenForm = (action: string, token: string, label: string): string =>
  `<form method="post" action="${action}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit">${label}</button>
</form>`
