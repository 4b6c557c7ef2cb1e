import { asText } from '#core'

const maxPathLength = 500

/** WordPress has every post there, too, and leads such an address on to its path. */
const numbered = /[?&](?:p|page_id)=(\d{1,20})(?=[&#]|$)/

/**
 * The path of a former address, as it is stored and looked up: decoded, without query and last slash. With the number of a post:
 * `/?p=12`, or `/blog/?p=12`. Null for what has none: the home page itself, or what is no address.
 */
export function formerPath(address: string): string | null {
  if (/^[^/]*$/.test(address)) return null
  try {
    const { pathname, search } = new URL(address, 'http://localhost')
    const path = asText(decodeURIComponent(pathname)).replace(/\/+$/, '')
    const [, number] = numbered.exec(search) ?? []
    const stored = number === undefined ? path : `${path}/?p=${number}`
    return stored === '' || stored.length > maxPathLength ? null : stored
  } catch {
    return null
  }
}

/**
 * What may be stored of an address that is asked for, the likeliest first. `basePath`: what a proxy removed before it, which old
 * addresses have where the blog lay there, too. The home page is asked for by a number alone.
 */
export function askedPaths(address: string, basePath: string): string[] {
  const [path = ''] = address.split('?', 1)
  const asked = path === '/' ? [address] : [address, path]
  const hasPost = path !== '/' || numbered.test(address)
  const below = basePath === '' || !hasPost ? [] : asked.map(each => basePath + each)
  return [...new Set([...asked, ...below].flatMap(each => formerPath(each) ?? []))]
}
