import type { FastifyRequest } from 'fastify'
import { type App, access, InputError } from '#core'
import { subscribersCacheTag } from '../cache-tags.ts'
import type { NewsletterComponents } from '../components.ts'
import { unsubscribedPage, unsubscribePage } from '../pages/reader-pages.ts'
import { moveSubscriber } from '../repository/subscribers.ts'
import { TokenQuery, UnsubscribeReply, UnsubscribeRequest } from '../schemas.ts'
import { formTypes, htmlReply, isBrowserForm, isJson, jsonOrHtml, sendReaderPage } from './page-reply.ts'

const tags = ['newsletter']

export function unsubscriptionRoutes(app: App, components: NewsletterComponents): void {
  const pageSchema = {
    operationId: 'unsubscribePage',
    tags,
    summary: 'The page behind the link to unsubscribe: it asks for one click',
    querystring: TokenQuery,
    response: { 200: htmlReply }
  }
  const documentation = { isNeverStored: true }
  app.get(
    '/unsubscribe',
    { config: { access: access.public, documentation }, schema: pageSchema },
    async ({ query }, reply) =>
      sendReaderPage(reply, unsubscribePage(components.localeOf(query.language), query.token ?? ''))
  )
  const schema = {
    operationId: 'unsubscribe',
    tags,
    summary: 'Leave the newsletter by the token of a mail (RFC 8058)',
    description:
      'The token stands in the body or in the query. The answer is the same for a token that is unknown. Other fields of a form are left out, those of JSON refused.',
    consumes: formTypes,
    querystring: TokenQuery,
    body: UnsubscribeRequest,
    response: { 200: jsonOrHtml(UnsubscribeReply) }
  }
  const preValidation = async (request: FastifyRequest) => {
    // The token in the address is enough.
    request.body ??= {}
    // Mail readers may send more with their form.
    if (!isJson(request)) request.body = knownFields(request.body)
  }
  app.post('/unsubscribe', { config: { access: access.public }, schema, preValidation }, async (request, reply) => {
    const token = request.body.token ?? request.query.token
    if (token === undefined || token === '') throw new InputError({ token: 'is required: the one of a link in a mail' })
    await unsubscribe(components, token)
    return isBrowserForm(request)
      ? sendReaderPage(reply, unsubscribedPage(components.localeOf(request.body.language ?? request.query.language)))
      : reply.send({ unsubscribed: true as const })
  })
}

const knownFields = (body: unknown) =>
  Object.fromEntries(
    Object.entries(Object(body)).filter(([name]) => Object.hasOwn(UnsubscribeRequest.properties, name))
  )

async function unsubscribe({ db, keys, changes }: NewsletterComponents, token: string): Promise<void> {
  const subscriber_id = await keys.readUnsubscribeToken(token)
  if (subscriber_id === null) return
  await db.transaction(async tx => {
    if (await moveSubscriber(tx, subscriber_id, 'unsubscribe')) await changes.touch(tx, subscribersCacheTag)
  })
}
