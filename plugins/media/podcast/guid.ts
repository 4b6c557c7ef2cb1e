import { createHash } from 'node:crypto'

/** The namespace that Podcasting 2.0 gives to `podcast:guid`. */
const podcastNamespace = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex')

/**
 * The `podcast:guid` of a feed: a UUID version 5 of its address without the scheme and without slashes at the end, so that
 * every host derives the same for the same feed.
 */
export function podcastGuid(feedUrl: string): string {
  const name = feedUrl.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/\/+$/, '')
  const hash = createHash('sha1').update(podcastNamespace).update(name).digest().subarray(0, 16)
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
