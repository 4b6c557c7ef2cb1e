import { asText } from '#core'

const maxPathLength = 500

/** WordPress has every post there, too, and leads such an address on to its path. */
const numbered = /[?&](?:p|page_id)=(\d{1,20})(?=[&#]|$)/

/**
 * The path of a former address, as it is stored and looked up: decoded, without query and last slash. Of the home page, with the
 * number of a post: `/?p=12`. Null for what has none: the home page itself, or what is no address.
 */
export function formerPath(address: string): string | null {
  if (/^[^/]*$/.test(address)) return null
  try {
    const { pathname, search } = new URL(address, 'http://localhost')
    const path = asText(decodeURIComponent(pathname)).replace(/\/+$/, '')
    const [, number] = numbered.exec(search) ?? []
    if (number !== undefined) return path === '' ? `/?p=${number}` : null
    return path === '' || path.length > maxPathLength ? null : path
  } catch {
    return null
  }
}
