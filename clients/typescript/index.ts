import createFetchClient, { type Client, defaultBodySerializer, type Middleware } from 'openapi-fetch'
import type { components, paths } from './openapi.ts'

export type { components, operations, paths } from './openapi.ts'
/** What the API answers and takes, by name: `Schemas['Post']`, `Schemas['NewTask']`. */
export type Schemas = components['schemas']
/** Every code a failure can have. */
export type ErrorCode = Schemas['ErrorBody']['error_code']
/** A method for each HTTP method, typed by path: `client.GET('/api/posts', { params: { query: { limit: 5 } } })`. */
export type GalleyClient = Client<paths>

export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:8000`. */
  baseUrl: string
  /** Credentials of an OAuth client; without them only public routes answer. */
  client_id?: string
  client_secret?: string
  /** Narrows what the token may do: `api:read`. */
  scope?: string
  fetch?: typeof globalThis.fetch
}

/** A client of one service. It gets a token when the first request is sent, and another shortly before it expires. */
export function createClient({ baseUrl, client_id, client_secret, scope, fetch }: ClientOptions): GalleyClient {
  const address = baseUrl.replace(/\/+$/, '')
  const client = createFetchClient<paths>({
    baseUrl: address,
    bodySerializer,
    ...(fetch === undefined ? {} : { fetch })
  })
  if (client_id !== undefined && client_secret !== undefined)
    client.use(createTokens({ address, client_id, client_secret, scope, fetch: fetch ?? globalThis.fetch }))
  return client
}

/** A file goes in a form, which says itself what it is. Everything else is JSON. */
const bodySerializer = (body: unknown, ...headers: unknown[]): string | FormData => {
  const file: unknown = body instanceof Blob ? body : Object(body).file
  // Its types leave out the headers, by which it knows a form of fields.
  if (!(file instanceof Blob)) return Reflect.apply(defaultBodySerializer, undefined, [body, ...headers])
  const form = new FormData()
  form.append('file', file)
  return form
}

/** The service did not give a token: `status`, and OAuth's `error` where it said why. */
export class TokenError extends Error {
  readonly status: number
  readonly error: string | undefined

  constructor(status: number, { error, error_description, message }: Record<string, string | undefined>) {
    super(`No token was given: ${error_description ?? message ?? `status ${status}`}`)
    this.name = 'TokenError'
    this.status = status
    this.error = error
  }
}

/** Before a token expires it is not used any more: a request takes a moment to arrive. */
const reserveMs = 30_000

interface Credentials {
  address: string
  client_id: string
  client_secret: string
  scope: string | undefined
  fetch: typeof globalThis.fetch
}
interface Token {
  value: string
  until: number
}

function createTokens(credentials: Credentials): Middleware {
  let current: Promise<Token> | undefined
  const get = async (): Promise<Token> => {
    const asked = current
    const token = await asked?.catch(() => undefined)
    if (token !== undefined && token.until > Date.now()) return token
    // Requests that wait together share one new token.
    if (current === asked) current = request(credentials)
    return current as Promise<Token>
  }
  return {
    async onRequest({ request }) {
      if (!request.headers.has('authorization')) request.headers.set('authorization', `Bearer ${(await get()).value}`)
      return request
    },
    onResponse({ response }) {
      // Revoked, or of another key: the next request asks for another.
      if (response.status === 401) current = undefined
    }
  }
}

async function request({ address, fetch, client_id, client_secret, scope }: Credentials): Promise<Token> {
  const form = { grant_type: 'client_credentials', client_id, client_secret, ...(scope === undefined ? {} : { scope }) }
  const response = await fetch(`${address}/token`, { method: 'POST', body: new URLSearchParams(form) })
  const answer = (await response.json().catch(() => ({}))) as Record<string, string> & { expires_in?: number }
  if (!response.ok) throw new TokenError(response.status, answer)
  const { access_token = '', expires_in = 0 } = answer
  return { value: access_token, until: Date.now() + Math.max(expires_in * 1_000 - reserveMs, (expires_in * 1_000) / 2) }
}
