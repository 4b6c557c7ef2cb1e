import { cutText } from '#text/excerpts'
import { formerPath } from './former-path.ts'

/** What is known of where a post was. */
interface OwnSite {
  /** An address of its site; null where none is known. */
  url: string | null
  /** Those of the post, which are looked at where its site is not known. */
  addresses: readonly string[]
}

/** Of a post that was first published elsewhere. */
export function canonicalNotes(address: string | null, { url, addresses }: OwnSite): string[] {
  const canonical = address === null ? null : URL.parse(address.trim())
  if (canonical === null || !/^https?:$/.test(canonical.protocol)) return []
  const host = url === null ? null : (URL.parse(url)?.host ?? null)
  const path = formerPath(canonical.href)
  const isOwn =
    host === null ? path !== null && addresses.some(each => formerPath(each) === path) : canonical.host === host
  return isOwn
    ? []
    : [`its canonical address is left out, and its page here names itself: ${cutText(canonical.href, 200)}`]
}
