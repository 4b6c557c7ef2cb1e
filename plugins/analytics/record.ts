import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isForwarded, networkOf, type Settings, type SettingsStore } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { implausible, type Machines } from './machines.ts'
import type { Rates } from './rates.ts'
import { referrerHost } from './referrer.ts'
import type { analyticsSettings } from './settings.ts'
import type { Views } from './views.ts'

interface RecordDeps {
  views: Pick<Views, 'count'>
  machines: Machines
  rates: Rates
  published: Pick<PublishedPosts, 'site'>
  settings: Settings<typeof analyticsSettings>
  store: Pick<SettingsStore, 'value'>
}

/** Counts a request as a view. Nothing of it is stored but the host of the referrer, the country and the kind of machine. */
export type RecordView = (request: ViewRequest, slug: string, referrer?: string) => void

/** What is looked at of a request. */
type ViewRequest = Pick<FastifyRequest, 'headers' | 'ip' | 'hostname' | 'raw'>

export function createRecordView({ views, machines, rates, published, settings, store }: RecordDeps): RecordView {
  /** Of this service, and of the website that shows the posts: a reader who goes from one post to the next comes from there. */
  const ownHosts = () =>
    [published.site().home, store.value('post_url')].map(address => URL.parse(address)?.hostname ?? '')
  return (request, slug, referrer) => {
    const { headers, hostname } = request
    const name = machines.nameOf(headers)
    const machine = name ?? (rates.isImplausible(visitorOf(request), slug) ? implausible : null)
    views.count({
      slug,
      machine,
      referrer: referrerHost(referrer, [...ownHosts(), hostname]),
      country: countryIn(headers, settings.get('analytics_country_header'))
    })
  }
}

/**
 * All that tells one visitor from another. Behind a proxy that is not declared every request has one address: there what the
 * proxy says counts, too. Who lies there is counted as several readers.
 */
function visitorOf({ ip, headers, raw }: ViewRequest): string {
  const isOfProxy = ip === raw.socket.remoteAddress && isForwarded({ headers })
  const behind = isOfProxy ? `${headers['x-forwarded-for'] ?? headers.forwarded ?? ''}` : ''
  return `${networkOf(ip)} ${behind} ${headers['user-agent'] ?? ''}`
}

function countryIn(headers: IncomingHttpHeaders, name: string): string | null {
  const value = name === '' ? undefined : headers[name]
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null
}
