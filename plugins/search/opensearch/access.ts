import type { Settings } from '#core'
import type { searchSettings } from '../settings.ts'

export type AccessSettings = Pick<Settings<typeof searchSettings>, 'get' | 'secretFor'>

/** What requests are sent with. */
export interface EngineAccess {
  url: string
  /** The alias that is searched. */
  alias: string
  /** Of the header `authorization`; undefined where none is set. */
  authorization: string | undefined
}

/** What the settings say now. */
export function readEngineAccess(settings: AccessSettings): EngineAccess {
  const url = settings.get('search_url').replace(/\/+$/, '')
  const alias = settings.get('search_index')
  const key = settings.secretFor('search_api_key', url).value.trim()
  if (key !== '') return { url, alias, authorization: `ApiKey ${key}` }
  const user = settings.get('search_username')
  if (user === '') return { url, alias, authorization: undefined }
  const password = settings.secretFor('search_password', url).value
  return { url, alias, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** What the settings lack; null when nothing. */
export function engineAccessFault(settings: AccessSettings): string | null {
  const url = settings.get('search_url')
  if (url === '') return 'The setting search_driver is opensearch, but search_url is empty: set it.'
  const address = URL.parse(url)
  if (address === null) return `search_url is no address: ${url}`
  if (address.username !== '' || address.password !== '')
    return 'search_url has a user or a password: set search_username and search_password instead.'
  const key = settings.secretFor('search_api_key', url)
  if (key.fault !== null) return key.fault
  if (/[^\x21-\x7e]/.test(key.value.trim())) return 'search_api_key has blanks or characters no key has: set it again.'
  return settings.get('search_username') === '' ? null : settings.secretFor('search_password', url).fault
}
