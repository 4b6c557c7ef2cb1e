import type { IncomingHttpHeaders } from 'node:http'
import { createIsbotFromList, list } from 'isbot'
import { createBoundedMap } from '#core'
import { otherName } from './tally.ts'

/** Readers of texts for models and assistants, by what their `User-Agent` says. Taken from what their operators publish. */
const crawlers = `
  GPTBot OAI-SearchBot ChatGPT-User ClaudeBot Claude-User Claude-SearchBot anthropic-ai PerplexityBot Perplexity-User CCBot
  Bytespider Amazonbot Applebot Google-Extended GoogleOther meta-externalagent FacebookBot MistralAI-User cohere-ai Diffbot
  YouBot DuckAssistBot AI2Bot ImagesiftBot Timpibot PetalBot Googlebot bingbot`
  .trim()
  .split(/\s+/)
const byLowerCase = new Map(crawlers.map(name => [name.toLowerCase(), name]))
const named = new RegExp(crawlers.join('|'), 'i')

/** Browsers that fetch a page before anybody asked for it. */
export const prefetching = 'prefetch'
/** More views than a person makes. */
export const implausible = 'implausible rate'

const isBot = createIsbotFromList(list)
/** A browser’s is much shorter. What is cut off names no bot that the beginning does not. */
const maxUserAgent = 400
const maxKnown = 2_000

/** Tells machines from people by what they say of themselves. */
export interface Machines {
  /** What kind of machine it is; null for a person, as far as is known. */
  nameOf(headers: IncomingHttpHeaders): string | null
}

export function createMachines(): Machines {
  // A few hundred browsers make nearly all requests, and the patterns take 20 µs.
  const names = createBoundedMap<string, string | null>({ maxEntries: () => maxKnown })
  return {
    nameOf(headers) {
      const name = names.getOrCompute((headers['user-agent'] ?? '').slice(0, maxUserAgent), nameOfAgent)
      return name ?? (isPrefetch(headers) ? prefetching : null)
    }
  }
}

function nameOfAgent(userAgent: string): string | null {
  // Every browser says what it is.
  if (userAgent === '') return otherName
  const [name] = named.exec(userAgent) ?? []
  if (name !== undefined) return byLowerCase.get(name.toLowerCase()) ?? otherName
  return isBot(userAgent) ? otherName : null
}

const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some(name =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? ''))
  )
