/** A name with a dot, as in the domain name system; such as `news.example`. */
const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * The host a reader came from, without `www.`; null for none, for `own` ones, and for anything that is no public name. Of an address
 * nothing but the host is kept.
 */
export function referrerHost(referrer: string | undefined, own: readonly string[]): string | null {
  if (referrer === undefined || referrer === '') return null
  const url = URL.parse(referrer)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const host = withoutWww(url.hostname)
  return hostName.test(host) && !own.some(each => withoutWww(each) === host) ? host : null
}

const withoutWww = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')
