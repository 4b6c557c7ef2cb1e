import { randomUUID, webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import {
  AuthError,
  type Authenticator,
  type Changes,
  type Db,
  type Installation,
  type Principal,
  type Settings,
  type SettingsStore,
  signingSecretTopic
} from '#core'
import { forgetExpired, isTokenLive, revokeToken } from './repository.ts'
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

export interface TokenDeps {
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

const issuer = 'galley'
const developmentToken = 'dev-token'
const developer: Principal = { client_id: 'development', scopes: new Set(['api:read', 'api:write']) }

export function createTokens(deps: TokenDeps): Tokens {
  const { db, changes, settings, installation, now } = deps
  const signingKey = createSigningKey(installation)
  const audienceOf = () => deps.store.value('public_url')
  const verified = createVerifiedTokens(changes, audienceOf)

  const verify = async (token: string): Promise<Claims> => {
    const audience = audienceOf()
    try {
      // Without a public address the audience is wherever the issuing process listened, which another process cannot know.
      const options = { issuer, algorithms: ['HS256'], currentDate: now(), ...(audience === '' ? {} : { audience }) }
      return claimsOf((await jwtVerify(token, await signingKey(), options)).payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new AuthError(reasonOf(error))
      throw error
    }
  }

  // Behind a proxy on this machine anybody could be the sender.
  const acceptsDeveloper = (isForwarded: boolean) =>
    settings.get('development_mode') && installation.isLoopback() && !isForwarded

  return {
    async mint(client_id, scope) {
      const expires_in = settings.get('oauth_token_ttl_seconds')
      const issuedAt = Math.floor(now().getTime() / 1000)
      const access_token = await new SignJWT({ client_id, scope })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(installation.baseUrl())
        .setSubject(client_id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expires_in)
        .setJti(randomUUID())
        .sign(await signingKey())
      return { access_token, token_type: 'Bearer', expires_in, scope }
    },
    async revoke(token, client_id) {
      const claims = await verify(token).catch(undefinedIfRefused)
      if (claims?.client_id !== client_id) return
      await db.transaction(async tx => {
        await forgetExpired(tx)
        await revokeToken(tx, claims.jti, new Date(claims.exp * 1000))
        await changes.touch(tx, 'clients')
      })
    },
    async authenticate(token, { isForwarded } = { isForwarded: false }) {
      if (token === developmentToken && acceptsDeveloper(isForwarded)) return developer
      const known = verified.get(token, now())
      if (known !== undefined) return known
      const remember = verified.begin()
      const claims = await verify(token)
      if (!(await isTokenLive(db, claims.client_id, claims.jti)))
        throw new AuthError('The token or its client was revoked: get a new one from POST /token.')
      const principal = { client_id: claims.client_id, scopes: new Set(claims.scope.split(' ')) }
      remember(token, principal, claims.exp)
      return principal
    }
  }
}

/** The key as it is now: it may be rotated while the service runs. */
function createSigningKey(installation: Installation): () => Promise<webcrypto.CryptoKey> {
  let bytes: Uint8Array | undefined
  let imported: Promise<webcrypto.CryptoKey> | undefined
  return () => {
    const current = installation.signingKey('access-token')
    if (imported === undefined || bytes !== current) imported = importKey(current)
    bytes = current
    return imported
  }
}

// A CryptoKey verifies half as fast again as raw bytes.
const importKey = (bytes: Uint8Array): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('raw', Buffer.from(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof AuthError)) throw error
}

function claimsOf(payload: JWTPayload): Claims {
  const { client_id, scope, jti, exp } = payload
  if (
    typeof client_id !== 'string' ||
    typeof scope !== 'string' ||
    typeof jti !== 'string' ||
    typeof exp !== 'number'
  ) {
    throw new AuthError('The token lacks claims this service writes: get one from POST /token.')
  }
  return { client_id, scope, jti, exp }
}

const reasonOf = (error: errors.JOSEError): string =>
  error.code === 'ERR_JWT_EXPIRED'
    ? 'The token has expired: get a new one from POST /token.'
    : 'The token is not one this service issued: get one from POST /token.'

const mostRemembered = 10_000

/** Tokens that were checked a moment ago. Dropped when any client or token was revoked, or the signing secret rotated; bounded; the oldest go first. */
function createVerifiedTokens(changes: Changes, audienceOf: () => string) {
  const known = new Map<string, { principal: Principal; exp: number; audience: string }>()
  let generation = 0
  const forget = () => {
    generation += 1
    known.clear()
  }
  changes.on('clients', forget)
  changes.on(signingSecretTopic, forget)
  return {
    get(token: string, now: Date): Principal | undefined {
      const entry = known.get(token)
      if (entry === undefined || !changes.isCurrent()) return undefined
      if (entry.exp * 1000 > now.getTime() && entry.audience === audienceOf()) return entry.principal
      known.delete(token)
      return undefined
    },
    /** Call before asking the database: what it answered is kept only if nothing was revoked meanwhile. */
    begin() {
      const begun = generation
      const audience = audienceOf()
      return (token: string, principal: Principal, exp: number) => {
        if (begun !== generation) return
        if (known.size >= mostRemembered) known.delete(known.keys().next().value as string)
        known.set(token, { principal, exp, audience })
      }
    }
  }
}
