import { directionOf } from '#plugins/site'
import { escapeHtml } from '#text/html-entities'
import type { Locale } from '../texts/read-texts.ts'

/** Stands in a mail for the address that unsubscribes its recipient, until the mail is sent. */
export const unsubscribePlaceholder = 'https://unsubscribe.invalid/'

interface MailFrame {
  /** BCP 47. */
  language: string
  subject: string
  /** What mail readers show beside the subject. */
  preview: string
  /** HTML. */
  body: string
  /** It may be in another language than the rest. */
  footer: { locale: Locale; html: string }
}

/** Mail readers that know no style sheet show the text in their own type, which is fine. */
const style = `:root { color-scheme: light dark; supported-color-schemes: light dark }
body { margin: 0; padding: 0; background: #ffffff; color: #1c1b19; font: 17px/1.6 Georgia, 'Times New Roman', serif }
.page { max-width: 600px; margin: 0 auto; padding: 24px 16px 48px; overflow-wrap: break-word }
h1, h2, h3 { line-height: 1.25 }
h1 { font-size: 28px; margin: 0 0 16px } h2 { font-size: 22px } h3 { font-size: 19px }
a { color: #1f5fa8 }
h1 a, h2 a { color: inherit; text-decoration: none }
img { max-width: 100%; height: auto; border: 0 }
blockquote { margin: 16px 0; padding: 0 16px; border: solid #e4e0d6; border-width: 0 0 0 3px; border-inline-width: 3px 0; color: #5c5850 }
pre { overflow-x: auto; padding: 12px; border: 1px solid #e4e0d6; white-space: pre-wrap }
code { font: 15px ui-monospace, Menlo, Consolas, monospace }
table { border-collapse: collapse } th, td { padding: 4px 10px; border: 1px solid #e4e0d6; text-align: start }
.button { display: inline-block; padding: 12px 20px; background: #1f5fa8; color: #ffffff; text-decoration: none; border-radius: 6px }
.footer { margin-top: 40px; padding-top: 16px; border-top: 1px solid #e4e0d6; color: #6b675f; font: 14px/1.5 Arial, sans-serif }
@media (prefers-color-scheme: dark) {
  body { background: #1a1917; color: #e8e5de }
  a { color: #8ab8ee } .button { background: #8ab8ee; color: #1a1917 }
  blockquote, .footer { color: #a19c91 } blockquote, pre, th, td, .footer { border-color: #38352f }
}`

/** A mail as a document. It loads nothing but the pictures of a post. */
export const mailDocument = ({ language, subject, preview, body, footer }: MailFrame): string => `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${style}
</style>
</head>
<body>
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<div class="page">
${body}
<div class="footer" lang="${footer.locale.language}" dir="${footer.locale.direction}">
${footer.html}
</div>
</div>
</body>
</html>
`
