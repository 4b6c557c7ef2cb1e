import { html, type SitePages, type SiteView, type TextsByLanguage } from '#plugins/site'
import { readerLanguages } from '../texts/languages.ts'

/** A form on pages of the site. The page it leads to solves the challenge, so that this one needs no script. */
export function addSignupFragment(pages: SitePages | undefined, isOn: () => boolean): void {
  pages?.addTexts(signupTexts)
  pages?.addFragment({ pages: ['home', 'post'], place: 'content', html: site => (isOn() ? form(site) : null) })
}

const form = ({ language, direction, text, path }: SiteView) =>
  html`<aside class="part" lang="${language}" dir="${direction}" aria-labelledby="newsletter"><div class="wide">
<h2 id="newsletter">${text('newsletter')}</h2>
<p>${text('newsletterAbout')}</p>
<form class="fields" method="post" action="${path('/subscribe')}">
<label for="newsletter-email">${text('newsletterEmail')}</label>
<input type="email" id="newsletter-email" name="email" required maxlength="254" autocomplete="email" dir="ltr">
<input type="hidden" name="language" value="${language}">
<button>${text('newsletterSubscribe')}</button>
</form>
</div></aside>`

const signupTexts: TextsByLanguage = Object.fromEntries(
  Object.entries(readerLanguages).map(([tag, { heading, about, email, subscribe }]) => [
    tag,
    { newsletter: heading, newsletterAbout: about, newsletterEmail: email, newsletterSubscribe: subscribe }
  ])
)
