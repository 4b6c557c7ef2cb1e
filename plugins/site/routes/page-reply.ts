import type { FastifyReply } from 'fastify'
import { access, type CacheRule, Type } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { sitePagesCacheTag } from '../index.ts'
import type { RenderedPage } from '../themes/themes.ts'

/**
 * What a page may load. Pictures may come from anywhere, because posts show such; style, sound and forms are the site's own. A
 * script runs only where the template links the theme's. `frame-ancestors` keeps other sites from showing the page as theirs.
 */
export function pageHeaders(html: string) {
  const scripts = linkedScript.test(html) ? " script-src 'self'; connect-src 'self';" : ''
  return {
    'content-security-policy': `default-src 'none'; style-src 'self';${scripts} img-src 'self' https: http:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'strict-origin-when-cross-origin'
  }
}

const linkedScript = /<script\b[^>]*\ssrc="/

/** Of every page. */
export const publicPage = { access: access.public } as const

/** How long a page holds: every one has the static pages in its footer. */
export const pageCache = (published: Pick<PublishedPosts, 'cacheRule'>, ...tags: string[]): CacheRule =>
  published.cacheRule(sitePagesCacheTag, ...tags)

const page = Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }))

/** Links from elsewhere bring parameters of their own (`utm_source`, `fbclid`): pages leave them alone. */
const open = { additionalProperties: true }

export const noQuery = Type.Object({}, open)
export const pageQuery = Type.Object({ page }, open)
export const searchQuery = Type.Object({ page, q: Type.Optional(Type.String({ maxLength: 500 })) }, open)
export const slugParameter = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 200 }) })

/** `isComplete` false: something was missing that may be there the next time, so the page is not stored. */
export function sendHtml(reply: FastifyReply, page: RenderedPage, isComplete = true): FastifyReply {
  if (!isComplete || !page.isComplete) reply.header('cache-control', 'no-store')
  return reply.headers(pageHeaders(page.html)).type('text/html; charset=utf-8').send(page.html)
}
