import type { FastifyReply, FastifyRequest } from 'fastify'
import { prefersHtml, Type } from '#core'
import { readerPageHeaders } from '../pages/page.ts'

/** Of a route that answers with a page. */
export const htmlReply = { content: { 'text/html': { schema: Type.String() } } }

/** Of a route that answers browsers with a page and programs with JSON. */
export const jsonOrHtml = <S>(schema: S) => ({ content: { 'application/json': { schema }, ...htmlReply.content } })

export const formTypes = ['application/json', 'application/x-www-form-urlencoded']

export const sendReaderPage = (
  reply: FastifyReply,
  page: string,
  headers: Record<string, string> = readerPageHeaders
): FastifyReply => reply.headers(headers).type('text/html; charset=utf-8').send(page)

export const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '')

/** Whether a browser sent its form: mail readers and programs get JSON, as they do for a failure. */
export const isBrowserForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '') && prefersHtml(headers.accept)
