import { type App, access, Type } from '#core'
import { parseAddress } from '../addresses.ts'
import { subscribersCacheTag } from '../cache-tags.ts'
import type { NewsletterComponents } from '../components.ts'
import { captchaScript, captchaScriptPath } from '../pages/captcha-script.ts'
import { captchaHeaders, readerPageHeaders } from '../pages/page.ts'
import { checkMailPage, subscribePage } from '../pages/reader-pages.ts'
import { countActive } from '../repository/subscribers.ts'
import { CaptchaChallenge, Count, ReaderPageQuery, SubscribeReply, SubscribeRequest } from '../schemas.ts'
import { StaleChallengeError } from '../signup/captcha.ts'
import { formTypes, htmlReply, isBrowserForm, jsonOrHtml, sendReaderPage } from './page-reply.ts'

const tags = ['newsletter']
const config = { access: access.public }

export function subscriptionRoutes(app: App, components: NewsletterComponents): void {
  formRoute(app, components)
  subscribeRoute(app, components)
  scriptRoute(app)
  challengeRoute(app, components)
  countRoute(app, components)
}

function createForm({ published, settings, localeOf }: NewsletterComponents) {
  return (email: string, language: string | undefined) => {
    const needsCaptcha = settings.get('subscribe_captcha')
    const page = subscribePage(localeOf(language), { title: published.site().title, email, needsCaptcha })
    return { page, headers: needsCaptcha ? captchaHeaders : readerPageHeaders }
  }
}

function formRoute(app: App, components: NewsletterComponents): void {
  const form = createForm(components)
  const schema = {
    operationId: 'subscribePage',
    tags,
    summary: 'The page with the form to subscribe',
    querystring: ReaderPageQuery,
    response: { 200: htmlReply }
  }
  const documentation = { isNeverStored: true }
  app.get('/subscribe', { config: { ...config, documentation }, schema }, async (request, reply) => {
    const { page, headers } = form('', request.query.language)
    return sendReaderPage(reply, page, headers)
  })
}

function subscribeRoute(app: App, components: NewsletterComponents): void {
  const { signups, settings, localeOf } = components
  const form = createForm(components)
  const schema = {
    operationId: 'subscribe',
    tags,
    summary: 'Sign up for the newsletter; a mail asks for the confirmation',
    description:
      'The answer is the same for every address, in the same time. An address gets at most one mail a day that asks for a confirmation. A browser’s form gets a page; one without a solution, or with one that expired or costs too little by now, gets the page that solves a challenge (200).',
    consumes: formTypes,
    body: SubscribeRequest,
    response: { 200: htmlReply, 202: jsonOrHtml(SubscribeReply) }
  }
  app.post('/subscribe', { config, schema }, async (request, reply) => {
    const isForm = isBrowserForm(request)
    const { email, captcha = '', language } = request.body
    const solveOnPage = () => {
      const { page, headers } = form(parseAddress(email) ?? '', language)
      return sendReaderPage(reply, page, headers)
    }
    // A form on another page has no script: the challenge is solved on ours.
    if (isForm && captcha === '' && settings.get('subscribe_captcha')) return solveOnPage()
    try {
      await signups.accept(request.body)
    } catch (error) {
      if (isForm && error instanceof StaleChallengeError) return solveOnPage()
      throw error
    }
    const locale = localeOf(language)
    // The same for every address: nobody learns who is subscribed.
    return isForm
      ? sendReaderPage(reply.code(202), checkMailPage(locale))
      : reply.code(202).send({ message: locale.text('mailboxAbout') })
  })
}

/** Its address changes with its content. */
function scriptRoute(app: App): void {
  const querystring = Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) }, { additionalProperties: true })
  const schema = {
    operationId: 'getSubscribeScript',
    tags,
    summary: 'The script that solves the challenge for a form to sign up',
    querystring,
    produces: ['text/javascript; charset=utf-8'],
    response: { 200: Type.String() }
  }
  app.get('/subscribe/script.js', { config: { ...config, cache: { tags: [] } }, schema }, async (request, reply) => {
    const isPresent = captchaScriptPath.endsWith(`=${request.query.v}`)
    reply.header('cache-control', isPresent ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.type('text/javascript; charset=utf-8').send(captchaScript)
  })
}

function challengeRoute(app: App, { captcha }: NewsletterComponents): void {
  const schema = {
    operationId: 'getSubscribeChallenge',
    tags,
    summary: 'A proof of work (ALTCHA) to solve for a sign-up',
    description:
      'It is valid for 20 minutes and for one sign-up. It gets harder while many sign up: a solution that cost less than half of what is asked by then is refused (400 on `captcha`).',
    response: { 200: CaptchaChallenge }
  }
  const documentation = { isNeverStored: true }
  app.get('/subscribe/challenge', { config: { ...config, documentation }, schema }, async (_, reply) => {
    const challenge = await captcha.create()
    return reply.header('cache-control', 'no-store').send(challenge)
  })
}

function countRoute(app: App, { db }: NewsletterComponents): void {
  const schema = {
    operationId: 'countSubscribers',
    tags,
    summary: 'How many get the newsletter',
    response: { 200: Type.Unsafe<{ count: number }>(Count) }
  }
  app.get(
    '/subscribers/count',
    { config: { ...config, cache: { tags: [subscribersCacheTag] } }, schema },
    async () => ({
      count: await countActive(db)
    })
  )
}
