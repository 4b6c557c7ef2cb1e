import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { access, type Installation } from '#core'
import type { DocumentApp } from './document-app.ts'

const documentSchema = {
  operationId: 'getOpenApiDocument',
  tags: ['operation'],
  summary: 'This document, OpenAPI 3.1',
  response: { 200: { content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } } }
}

/** `GET /openapi.json`, and the page for people at `/docs`. */
export const openapiRoutes =
  (installation: Pick<Installation, 'baseUrl' | 'version'>): FastifyPluginAsync =>
  async app => {
    const documentApp = createOnDemand(app, installation.version)
    addDocument(app, documentApp, installation)
    addPageDocument(app, documentApp)
    addPage(app, documentApp)
  }

/** The libraries load with the first reader: they take longer than any plugin. */
function createOnDemand(app: FastifyInstance, version: string): () => Promise<DocumentApp> {
  let made: Promise<DocumentApp> | undefined
  return () => {
    made ??= import('./document-app.ts').then(({ createDocumentApp }) => createDocumentApp(app.apiDescription, version))
    return made
  }
}

function addDocument(
  app: FastifyInstance,
  documentApp: () => Promise<DocumentApp>,
  { baseUrl }: Pick<Installation, 'baseUrl'>
): void {
  const config = { access: access.public, cache: { tags: ['settings'] } }
  let written = { url: '', text: '' }
  app.get('/openapi.json', { config, schema: documentSchema }, async (_request, reply) => {
    const url = baseUrl()
    // Half a megabyte: writing it for each request would take the time of a hundred others.
    if (written.url !== url) {
      const { document } = await documentApp()
      written = { url, text: JSON.stringify(document(url)) }
    }
    return reply.type('application/json; charset=utf-8').send(written.text)
  })
}

/** The document as the page reads it: its requests go where the page came from, whatever path a proxy puts before it. */
function addPageDocument(app: FastifyInstance, documentApp: () => Promise<DocumentApp>): void {
  let written: string | undefined
  app.get('/docs/json', { config: { access: access.public }, schema: { hide: true } }, async (_request, reply) => {
    if (written === undefined) {
      const { document } = await documentApp()
      written = JSON.stringify(document('..'))
    }
    return reply.type('application/json; charset=utf-8').send(written)
  })
}

function addPage(app: FastifyInstance, documentApp: () => Promise<DocumentApp>): void {
  const options = { config: { access: access.public }, schema: { hide: true } }
  // Below the folder, the page finds the address of tokens whatever path a proxy puts before it.
  app.get('/docs', options, (_request, reply) => reply.redirect('docs/'))
  app.get('/docs/*', options, async (request, reply) => proxy(await documentApp(), request, reply))
}

const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

async function proxy({ page }: DocumentApp, { url, headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const answer = await page.inject({ method: 'GET', url, headers })
  // The library forbids a path that leaves its folder; for us there is nothing at it.
  if (answer.statusCode === 403 || answer.statusCode === 404) return reply.callNotFound()
  const own = Object.entries(answer.headers).filter(([name]) => !connectionHeaders.has(name))
  reply.code(answer.statusCode).headers(Object.fromEntries(own))
  return answer.rawPayload
}
