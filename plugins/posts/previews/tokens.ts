import { createHmac, timingSafeEqual } from 'node:crypto'
import { AuthError, type Installation } from '#core'

const lifetimeSeconds = 24 * 60 * 60
const idBytes = 16
const signedBytes = idBytes + 4
const tokenBytes = signedBytes + 32

/** Signed tokens that show one post, until it is archived, for 24 hours. Nothing is stored, nothing revokes them. */
export interface PreviewTokens {
  issue(post_id: string): string
  /** The post a token is for. @throws AuthError when it was changed or has expired. */
  verify(token: string): string
}

/** A token is the post's id, the second it expires and an HMAC-SHA256 of both: short enough for a path segment of any router. */
export function createPreviewTokens({
  installation,
  now
}: {
  installation: Installation
  now: () => Date
}): PreviewTokens {
  const seconds = () => Math.floor(now().getTime() / 1000)
  const sign = (signed: Buffer) => createHmac('sha256', installation.signingKey('preview')).update(signed).digest()
  return {
    issue: post_id => {
      const signed = Buffer.alloc(signedBytes)
      signed.write(post_id.replaceAll('-', ''), 'hex')
      signed.writeUInt32BE(seconds() + lifetimeSeconds, idBytes)
      return Buffer.concat([signed, sign(signed)]).toString('base64url')
    },
    verify: token => {
      const bytes = Buffer.from(token, 'base64url')
      const signed = bytes.subarray(0, signedBytes)
      // Decoding forgives: only the one spelling that was issued is accepted.
      const isWhole = bytes.length === tokenBytes && bytes.toString('base64url') === token
      if (
        !isWhole ||
        !timingSafeEqual(bytes.subarray(signedBytes), sign(signed)) ||
        signed.readUInt32BE(idBytes) <= seconds()
      ) {
        throw new AuthError('The preview link is not valid or older than 24 hours: ask for a new one.')
      }
      return signed.toString('hex', 0, idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    }
  }
}
