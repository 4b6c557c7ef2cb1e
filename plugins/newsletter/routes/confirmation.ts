import { type App, AppError, access } from '#core'
import type { NewsletterComponents } from '../components.ts'
import { newsletterErrors } from '../errors.ts'
import { confirmedPage, confirmPage } from '../pages/reader-pages.ts'
import { ConfirmReply, ConfirmRequest, TokenQuery } from '../schemas.ts'
import { formTypes, htmlReply, isBrowserForm, jsonOrHtml, sendReaderPage } from './page-reply.ts'

const tags = ['newsletter']

export function confirmationRoutes(app: App, { confirmations, localeOf }: NewsletterComponents): void {
  const pageSchema = {
    operationId: 'confirmSubscriptionPage',
    tags,
    summary: 'The page behind the link of the mail: it asks for one click',
    querystring: TokenQuery,
    response: { 200: htmlReply }
  }
  const documentation = { isNeverStored: true }
  app.get(
    '/subscribe/confirm',
    { config: { access: access.public, documentation }, schema: pageSchema },
    async ({ query }, reply) => sendReaderPage(reply, confirmPage(localeOf(query.language), query.token ?? ''))
  )
  const schema = {
    operationId: 'confirmSubscription',
    tags,
    summary: 'Confirm a sign-up by the token of the mail',
    consumes: formTypes,
    body: ConfirmRequest,
    response: { 200: jsonOrHtml(ConfirmReply), 410: htmlReply }
  }
  const config = { access: access.public, documentation: { errors: ['CONFIRMATION_EXPIRED'] } } as const
  app.post('/subscribe/confirm', { config, schema }, async (request, reply) => {
    const { token, language } = request.body
    const isConfirmed = await confirmations.confirm(token)
    if (!isBrowserForm(request)) {
      if (isConfirmed) return reply.send({ confirmed: true as const })
      throw new AppError('CONFIRMATION_EXPIRED', newsletterErrors.CONFIRMATION_EXPIRED.message)
    }
    return sendReaderPage(reply.code(isConfirmed ? 200 : 410), confirmedPage(localeOf(language), isConfirmed))
  })
}
