import { isObject, type Settings } from '#core'
import type { cdnSettings } from '../settings.ts'
import { apiUrl, type CdnDriver } from './cdn.ts'

/** Fastly and what speaks like it: tags of `Surrogate-Key` are purged at once, not softly. */
export function createFastly(settings: Settings<typeof cdnSettings>): CdnDriver {
  const address = () => settings.get('fastly_api_url')
  const token = () => settings.secretFor('fastly_api_token', address())
  return {
    name: 'fastly',
    addressSetting: 'fastly_api_url',
    tagHeader: 'Surrogate-Key',
    // Its limit is 256, but a header of so many long tags has more than the 16 kB that servers take.
    maxTags: 160,
    isSetUp: () => settings.get('fastly_service_id') !== '',
    address,
    secretFault: () => token().fault,
    requestFor: tags => ({
      url: apiUrl(address(), `/service/${settings.get('fastly_service_id')}/purge`),
      headers: { 'fastly-key': token().value, 'surrogate-key': tags.join(' '), accept: 'application/json' }
    }),
    isDone: isListOfPurges
  }
}

/** It answers a purge for each tag. A page of something in between, or half an answer, is none. */
function isListOfPurges(answer: string): boolean {
  try {
    return isObject(JSON.parse(answer))
  } catch {
    return false
  }
}
