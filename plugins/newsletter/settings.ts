import { setting, Type } from '#core'
import { mailboxFault } from './mail/mailbox.ts'
import { smtpFault } from './mail/smtp-url.ts'

export const newsletterSettings = {
  smtp_url: setting(
    Type.Refine(
      Type.String({ maxLength: 1000 }),
      text => smtpFault(text) === null,
      text => smtpFault(text) ?? ''
    ),
    {
      default: '',
      isSecret: true,
      isMachine: true,
      describe:
        'Mail server of the newsletter with its login, such as smtps://user:password@mail.example:465 or smtp://… with STARTTLS; empty: no mail is sent.'
    }
  ),
  mail_from: setting(
    Type.Refine(
      Type.String({ maxLength: 320 }),
      text => mailboxFault(text) === null,
      text => mailboxFault(text) ?? ''
    ),
    {
      default: '',
      describe: 'Sender of the newsletter, such as The Tides <news@example.com>; empty: no mail is sent.'
    }
  ),
  subscribe_captcha: setting(Type.Boolean(), {
    default: true,
    describe: 'Asks of a sign-up to the newsletter for a proof of work (ALTCHA).'
  }),
  subscribe_form: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether the site shows a form to subscribe, once smtp_url and mail_from are set.'
  }),
  newsletter_on_publish: setting(Type.Boolean(), {
    default: false,
    describe: 'Mails each post to the subscribers when it is published, once, after the gate newsletter_send.'
  }),
  newsletter_digest_days: setting(Type.Integer({ minimum: 0, maximum: 366 }), {
    default: 0,
    describe: 'Mails the new posts of so many days together, as often; 0: never.'
  }),
  newsletter_connections: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    default: 5,
    describe: 'Connections to the mail server that newsletters are sent over at once.'
  }),
  newsletter_per_second: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    default: 0,
    describe: 'Mails in a second that the mail provider allows; 0: as many as it takes.'
  }),
  newsletter_per_day: setting(Type.Integer({ minimum: 0, maximum: 100_000_000 }), {
    default: 0,
    describe: 'Mails within 24 hours that the mail provider allows, confirmations included; 0: as many as it takes.'
  }),
  newsletter_signup_alarm: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: 100,
    describe: 'Sign-ups within ten minutes that the operator is told of as a wave.'
  }),
  newsletter_key: setting(Type.String({ maxLength: 100 }), {
    default: '',
    isSecret: true,
    isMachine: true,
    describe:
      'Key of the hashes of addresses and of the links to unsubscribe. galley makes it: leave it as it is. With another one who bounced, complained or was erased may get mail again, subscribers can sign up twice, and links that were mailed are useless.'
  }),
  pipeline_gate_newsletter_send: setting(Type.Enum(['on', 'off']), {
    default: 'on',
    describe: 'The gate newsletter_send: on holds every newsletter until somebody approves it.'
  })
}
