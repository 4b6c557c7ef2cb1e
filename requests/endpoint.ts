import { Type, UnavailableError } from '#core'

/** The schema of a setting that holds an address. `pattern` says whether it may be empty, or have a query. */
export const addressSchema = (options: { readonly pattern: string; readonly maxLength: number }) =>
  Type.Refine(
    Type.String(options),
    text => text === '' || URL.canParse(text),
    () => 'must be an address with a valid host, and a port up to 65535, such as https://api.example.com/v1'
  )

/** The address of a path under that of an API, which may end with slashes. */
export const urlUnder = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}/${path}`

/**
 * Headers of a request with a JSON body, and with a key for those who want one. `keySetting` names the setting it comes from.
 * @throws UnavailableError for a key that no header can have: the message of `fetch` would show it
 */
export function jsonHeaders(apiKey: string, keySetting: string): Record<string, string> {
  const key = apiKey.trim()
  if (/[^\x21-\x7e]/.test(key))
    throw new UnavailableError(`${keySetting} has blanks or characters no key has: set it again.`)
  const headers = { 'content-type': 'application/json' }
  return key === '' ? headers : { ...headers, authorization: `Bearer ${key}` }
}

/** Why the address in a setting cannot be asked; null when it can. */
export function addressFault(setting: string, address: string): string | null {
  const url = URL.parse(address)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return null
  return `${setting} is not an address that can be asked: give http(s)://host/…, without user and password.`
}
