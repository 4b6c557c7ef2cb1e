import { randomUUID, webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import {
  AuthError,
  type Authenticator,
  type Changes,
  createCache,
  type Db,
  type Installation,
  type Principal,
  type Settings,
  type SettingsStore,
  signingSecretCacheTag
} from '#core'
import { clientsCacheTag } from './cache-tags.ts'
import { deleteExpired, isTokenActive, revokeToken } from './repository.ts'
import type { authSettings } from './settings.ts'

/** A reply of `POST /token`. `expires_in` is in seconds. */
export interface TokenReply {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** Issues, checks and revokes access tokens: JWTs signed with HS256. */
export interface Tokens extends Authenticator {
  mint(client_id: string, scope: string): Promise<TokenReply>
  /** Revokes a token that `client_id` was issued; any other text is ignored (RFC 7009 §2.2). */
  revoke(token: string, client_id: string): Promise<void>
}

interface TokenDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof authSettings>
  store: SettingsStore
  installation: Installation
  now(): Date
}

interface Claims {
  client_id: string
  scope: string
  jti: string
  exp: number
}

interface VerifiedToken {
  principal: Principal
  audience: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

const maxCachedTokens = 10_000
const issuer = 'galley'
const developmentToken = 'dev-token'
/** An address, or a name that no name server answers for. */
const localHost = /^(\[.*\]|[\d.]+|(.*\.)?localhost)$/
const developer: Principal = { client_id: 'development', scopes: new Set(['api:read', 'api:write']) }

export function createTokens(deps: TokenDeps): Tokens {
  const { db, changes, settings, installation, now } = deps
  const signingKey = createKeyReader(installation)
  const audienceOf = () => deps.store.value('public_url')
  const verified = createCache<VerifiedToken>({
    changes,
    tags: [clientsCacheTag, signingSecretCacheTag],
    maxEntries: () => maxCachedTokens
  })

  const isValid = ({ expiresAt, audience }: VerifiedToken) => expiresAt > now().getTime() && audience === audienceOf()
  const verify = async (token: string) => verifyToken(token, await signingKey(), audienceOf(), now())

  // Behind a proxy on this machine anybody could have sent the request. So could a web page whose name leads to this machine.
  const acceptsDevelopmentToken = (isForwarded: boolean, host: string) =>
    settings.get('development_mode') && installation.isLoopback() && !isForwarded && isOwnHost(host, audienceOf())

  return {
    async mint(client_id, scope) {
      const expires_in = settings.get('oauth_token_ttl_seconds')
      const access_token = await sign(deps, { client_id, scope, expires_in }, await signingKey())
      return { access_token, token_type: 'Bearer', expires_in, scope }
    },
    async revoke(token, client_id) {
      const claims = await verify(token).catch(undefinedIfRefused)
      if (claims?.client_id !== client_id) return
      await db.transaction(async tx => {
        await deleteExpired(tx)
        await revokeToken(tx, claims.jti, new Date(claims.exp * 1000))
        await changes.touch(tx, clientsCacheTag)
      })
    },
    remedy: 'get one from POST /token',
    async authenticate(token, { isForwarded, host = '' } = { isForwarded: false }) {
      if (token === developmentToken && acceptsDevelopmentToken(isForwarded, host)) return developer
      const cached = verified.get(token)
      if (cached !== undefined && isValid(cached)) return cached.principal
      const store = verified.begin()
      const audience = audienceOf()
      const claims = await verify(token)
      if (!(await isTokenActive(db, claims.client_id, claims.jti)))
        throw new AuthError('The token or its client was revoked: get a new one from POST /token.')
      const principal = { client_id: claims.client_id, scopes: new Set(claims.scope.split(' ')) }
      store(token, { principal, audience, expiresAt: claims.exp * 1000 })
      return principal
    }
  }
}

/** Whether no stranger's name server can have led here. Without a host, as in HTTP/1.0, no browser asks. */
function isOwnHost(host: string, publicUrl: string): boolean {
  if (host === '') return true
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  return localHost.test(hostname) || (hostname !== '' && hostname === URL.parse(publicUrl)?.hostname)
}

/** @throws AuthError that says what is wrong with the token */
async function verifyToken(token: string, key: webcrypto.CryptoKey, audience: string, now: Date): Promise<Claims> {
  try {
    // Without public_url the audience is the address the issuing process listened on, which others cannot know.
    const checks = { issuer, algorithms: ['HS256'], currentDate: now }
    const options = audience === '' ? checks : { ...checks, audience }
    return toClaims((await jwtVerify(token, key, options)).payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new AuthError(reasonOf(error))
    throw error
  }
}

function sign(
  { installation, now }: TokenDeps,
  { client_id, scope, expires_in }: { client_id: string; scope: string; expires_in: number },
  key: webcrypto.CryptoKey
): Promise<string> {
  const issuedAt = Math.floor(now().getTime() / 1000)
  return new SignJWT({ client_id, scope })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(installation.baseUrl())
    .setSubject(client_id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expires_in)
    .setJti(randomUUID())
    .sign(key)
}

/** Imports the current key. It may be rotated while the service runs. */
function createKeyReader(installation: Installation): () => Promise<webcrypto.CryptoKey> {
  let bytes: Uint8Array | undefined
  let imported: Promise<webcrypto.CryptoKey> | undefined
  return () => {
    const current = installation.signingKey('access-token')
    if (imported === undefined || bytes !== current) imported = importKey(current)
    bytes = current
    return imported
  }
}

/** Verifying with a CryptoKey is 1.5 times as fast as with raw bytes. */
const importKey = (bytes: Uint8Array): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('raw', Buffer.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof AuthError)) throw error
}

function toClaims(payload: JWTPayload): Claims {
  const { client_id, scope, jti, exp } = payload
  if (
    typeof client_id !== 'string' ||
    typeof scope !== 'string' ||
    typeof jti !== 'string' ||
    typeof exp !== 'number'
  ) {
    throw new AuthError('The token lacks claims of this service: get one from POST /token.')
  }
  return { client_id, scope, jti, exp }
}

const reasonOf = (error: errors.JOSEError): string =>
  error.code === 'ERR_JWT_EXPIRED'
    ? 'The token has expired: get a new one from POST /token.'
    : 'The token was not issued by this service: get one from POST /token.'
