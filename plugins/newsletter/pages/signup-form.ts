import { escapeHtml } from '#text/html-entities'

/** What the form says. */
export interface SignupFormTexts {
  label: string
  button: string
  /** While the proof of work is solved. */
  checking: string
  /** When it could not be. */
  failed: string
}

export const signupFormTexts: SignupFormTexts = {
  label: 'Your e-mail address',
  button: 'Subscribe',
  checking: 'Checking that you are no machine. This takes a few seconds.',
  failed: 'That did not work. Please try again, or with another browser.'
}

export interface SignupFormOptions {
  /** Where the form is sent to: the address of `/subscribe`, absolute or relative to the page. */
  action: string
  /** What stands in the field. */
  email?: string
  needsCaptcha: boolean
  texts?: Partial<SignupFormTexts>
}

/** The form to sign up, as HTML without a script or style. Its field is `newsletter-email`. */
export function signupForm({ action, email = '', needsCaptcha, texts }: SignupFormOptions): string {
  const { label, button, checking, failed } = { ...signupFormTexts, ...texts }
  const captcha = needsCaptcha
    ? ` data-captcha data-checking="${escapeHtml(checking)}" data-failed="${escapeHtml(failed)}"`
    : ''
  return `<form class="newsletter" method="post" action="${escapeHtml(action)}"${captcha}>
<label for="newsletter-email">${escapeHtml(label)}</label>
<input type="email" id="newsletter-email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(email)}">
${needsCaptcha ? '<input type="hidden" name="captcha" value="">\n' : ''}<button type="submit">${escapeHtml(button)}</button>
${needsCaptcha ? '<p role="status"></p>\n' : ''}</form>`
}
