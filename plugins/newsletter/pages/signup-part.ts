import { html, type SitePages, type SiteView, type TextsByLanguage } from '#plugins/site'

/** A form on pages of the site. The page it leads to solves the challenge, so that this one needs no script. */
export function addSignupPart(pages: SitePages | undefined, isOn: () => boolean): void {
  pages?.addTexts(signupTexts)
  pages?.addPart({ pages: ['home', 'post'], place: 'content', html: site => (isOn() ? form(site) : null) })
}

const form = ({ language, direction, text, path }: SiteView) =>
  html`<aside class="part" lang="${language}" dir="${direction}" aria-labelledby="newsletter"><div class="wide">
<h2 id="newsletter">${text('newsletter')}</h2>
<p>${text('newsletterAbout')}</p>
<form class="fields" method="post" action="${path('/subscribe')}">
<label for="newsletter-email">${text('newsletterEmail')}</label>
<input type="email" id="newsletter-email" name="email" required maxlength="254" autocomplete="email" dir="ltr">
<button>${text('newsletterSubscribe')}</button>
</form>
</div></aside>`

const texts = (newsletter: string, newsletterAbout: string, newsletterEmail: string, newsletterSubscribe: string) => ({
  newsletter,
  newsletterAbout,
  newsletterEmail,
  newsletterSubscribe
})

const signupTexts: TextsByLanguage = {
  ar: texts('النشرة البريدية', 'مقالات جديدة بالبريد. يمكنك المغادرة بنقرة واحدة.', 'بريدك الإلكتروني', 'اشترك'),
  de: texts(
    'Newsletter',
    'Neue Beiträge per E-Mail. Abbestellen mit einem Klick.',
    'Ihre E-Mail-Adresse',
    'Abonnieren'
  ),
  en: texts('Newsletter', 'New posts by e-mail. You can leave with one click.', 'Your e-mail address', 'Subscribe'),
  es: texts(
    'Boletín',
    'Nuevos artículos por correo. Puede darse de baja con un clic.',
    'Su correo electrónico',
    'Suscribirse'
  ),
  fr: texts(
    'Lettre d’information',
    'Les nouveaux articles par e-mail. Désinscription en un clic.',
    'Votre adresse e-mail',
    'S’abonner'
  ),
  he: texts('ניוזלטר', 'פוסטים חדשים בדוא״ל. אפשר לעזוב בלחיצה אחת.', 'כתובת הדוא״ל שלך', 'הרשמה'),
  it: texts(
    'Newsletter',
    'I nuovi articoli per e-mail. Ci si cancella con un clic.',
    'Il tuo indirizzo e-mail',
    'Iscriviti'
  ),
  ja: texts(
    'ニュースレター',
    '新しい記事をメールでお届けします。配信停止はワンクリックです。',
    'メールアドレス',
    '登録する'
  ),
  nl: texts('Nieuwsbrief', 'Nieuwe artikelen per e-mail. Afmelden met één klik.', 'Je e-mailadres', 'Aanmelden'),
  pt: texts('Boletim', 'Novos artigos por e-mail. Pode sair com um clique.', 'O seu endereço de e-mail', 'Subscrever'),
  zh: texts('邮件订阅', '新文章通过邮件送达。一键即可退订。', '您的邮箱地址', '订阅'),
  'zh-Hant': texts('電子報', '新文章透過電子郵件送達。一鍵即可退訂。', '您的電子郵件地址', '訂閱')
}
