import { asText } from '#core'

const maxPathLength = 500

/**
 * The path of a former address, as it is stored and looked up: decoded, without query and last slash. Null for what has none:
 * the home page, an address by number (`/?p=12`), or what is no address.
 */
export function formerPath(address: string): string | null {
  if (/^[^/]*$/.test(address)) return null
  try {
    const { pathname } = new URL(address, 'http://localhost')
    const path = asText(decodeURIComponent(pathname)).replace(/\/+$/, '')
    return path === '' || path.length > maxPathLength ? null : path
  } catch {
    return null
  }
}
