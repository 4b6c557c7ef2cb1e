import { cutText } from '#text/excerpts'

/** Of a post that was first published elsewhere. `own`: an address of its site, where one is known. */
export function canonicalNotes(address: string | null, own = ''): string[] {
  const url = address === null ? null : URL.parse(address.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.host === URL.parse(own)?.host) return []
  return [`its canonical address is left out, and its page here names itself: ${cutText(url.href, 200)}`]
}
