import { isIP } from 'node:net'
import { Type } from 'typebox'
import { setting } from '../contract/plugin.ts'

/** Settings of the HTTP app. */
export const httpSettings = {
  cors_origins: setting(Type.String({ maxLength: 2_000 }), {
    default: '',
    category: 'settings',
    describe:
      'Origins whose pages may call the API from a browser: a comma list such as https://example.org, or * for all. Empty: none.'
  }),
  rate_limit_per_minute: setting(Type.Integer({ minimum: 0, maximum: 1_000_000 }), {
    default: 0,
    category: 'settings',
    describe:
      'Requests a minute each client may make to one process: an address when anonymous, a client_id with a token. 0: no limit.'
  }),
  rate_limit_search_per_minute: setting(Type.Integer({ minimum: 0, maximum: 1_000_000 }), {
    default: 6_000,
    category: 'settings',
    describe:
      'Searches a minute each address may ask one process for, those answered from the response cache and those of GraphQL with a token not counted. 0: no limit.'
  }),
  rate_limit_token_per_minute: setting(Type.Integer({ minimum: 0, maximum: 1_000_000 }), {
    default: 1_200,
    category: 'settings',
    describe: 'Requests a minute each address may make for tokens to one process. 0: no limit.'
  }),
  http_cache_mb: setting(Type.Integer({ minimum: 0, maximum: 4_096 }), {
    default: 64,
    category: 'settings',
    describe: 'Memory for cached responses to anonymous readers, in MiB. 0: cache none.'
  }),
  cache_tag_header: setting(Type.Enum(['none', 'Cache-Tag', 'Surrogate-Key', 'xkey']), {
    default: 'none',
    category: 'settings',
    describe:
      'Header that names the cache tags of public responses, for a CDN that purges by it: Cache-Tag (Cloudflare), Surrogate-Key (Fastly) or xkey (Varnish).'
  }),
  shared_cache_seconds: setting(Type.Integer({ minimum: 0, maximum: 31_536_000 }), {
    default: 0,
    category: 'settings',
    describe:
      'How long a CDN may answer public reads by itself (s-maxage), in seconds. Set it only where changes purge the CDN. 0: it asks each time.'
  }),
  stale_while_revalidate_seconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    default: 0,
    category: 'settings',
    describe:
      'How long a browser or CDN may show an outdated public read while it asks for the current one, in seconds. A withdrawn post may be shown so long. 0: never.'
  }),
  trusted_proxies: setting(
    Type.Refine(
      Type.String({ maxLength: 2_000 }),
      areNetworks,
      () => 'must be a comma list of addresses or networks such as 10.0.0.0/8'
    ),
    {
      default: '',
      category: 'settings',
      describe:
        'Addresses or networks of reverse proxies whose X-Forwarded-For header is believed: a comma list such as 127.0.0.1, 10.0.0.0/8.'
    }
  )
}

/** The parts of a comma list, blanks removed. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Why a list of origins is refused when it is set. Of a stored one the others count: no schema judges it. */
export function faultOfOrigins(list: string): string | null {
  // Browsers name the whole origin, and only that of web pages: https://*.example.org is the origin of none.
  const isOrigin = (text: string) => text === '*' || (/^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text)
  const fault = 'must be * or a comma list of whole origins such as https://example.org, https://www.example.org'
  return splitList(list).every(isOrigin) ? null : fault
}

function areNetworks(list: string): boolean {
  return splitList(list).every(network => {
    const [address = '', bits, ...rest] = network.split('/')
    const family = isIP(address)
    if (family === 0 || rest.length > 0) return false
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  })
}
