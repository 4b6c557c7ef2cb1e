import { isObject, type Settings } from '#core'
import type { cdnSettings } from '../settings.ts'
import { apiUrl, type CdnDriver } from './cdn.ts'

/** Cloudflare and what speaks like it: tags of `Cache-Tag`. */
export function createCloudflare(settings: Settings<typeof cdnSettings>): CdnDriver {
  const address = () => settings.get('cloudflare_api_url')
  const token = () => settings.secretFor('cloudflare_api_token', address())
  return {
    name: 'cloudflare',
    addressSetting: 'cloudflare_api_url',
    tagHeader: 'Cache-Tag',
    // Its limit for one request, on every plan.
    maxTags: 100,
    isSetUp: () => settings.get('cloudflare_zone_id') !== '',
    address,
    secretFault: () => token().fault,
    requestFor: tags => ({
      url: apiUrl(address(), `/client/v4/zones/${settings.get('cloudflare_zone_id')}/purge_cache`),
      headers: { authorization: `Bearer ${token().value}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tags })
    }),
    isDone: isSuccess
  }
}

/** It answers 200 with `success: false` for what it did not do. */
function isSuccess(answer: string): boolean {
  try {
    const value: unknown = JSON.parse(answer)
    return isObject(value) && value.success === true
  } catch {
    return false
  }
}
