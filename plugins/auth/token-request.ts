import { AppError, coreErrors, statusOf } from '#core'

/** Fields of a token or revocation request. */
export interface TokenForm {
  grant_type?: string
  client_id?: string
  client_secret?: string
  scope?: string
  token?: string
}

type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A refusal with the body of RFC 6749 §5.2. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode
  readonly status: number

  constructor(error: OAuthErrorCode, description: string, status = error === 'invalid_client' ? 401 : 400) {
    super(description)
    this.error = error
    this.status = status
  }
}

/** The fields of a form. A field without a value counts as absent (RFC 6749 §3.2). */
export function formOf(body: unknown): TokenForm {
  const fields = Object.entries(body ?? {})
  const repeated = fields.find(([, value]) => typeof value !== 'string')
  if (repeated !== undefined) throw new OAuthError('invalid_request', `${shownName(repeated[0])} is given twice.`)
  return Object.fromEntries(fields.filter(([, value]) => value.trim() !== ''))
}

/** RFC 6749 §5.2 allows printable ASCII without quotes and backslashes. The name comes from the caller. */
const shownName = (name: string): string => (/^\w{1,40}$/.test(name) ? name : 'A field')

const formFault = 'Send the fields once each, as application/x-www-form-urlencoded, within 16 KiB.'

/** The OAuth error for a failed request; undefined when the request is not at fault. */
export function refusalOf(error: Error & { statusCode?: number }): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  const status = error instanceof AppError ? (statusOf(coreErrors, error.code) ?? 500) : (error.statusCode ?? 500)
  if (status >= 500 || status === 429) return undefined
  return new OAuthError('invalid_request', formFault, status === 413 ? 413 : 400)
}

/** The client's credentials, from HTTP Basic or from the form, never from both (RFC 6749 §2.3). */
export function clientCredentials(
  authorization: string | undefined,
  form: TokenForm
): { client_id: string; client_secret: string } {
  if (authorization === undefined) {
    if (form.client_id === undefined || form.client_secret === undefined) {
      throw new OAuthError(
        'invalid_client',
        'client_id and client_secret are required, as form fields or by HTTP Basic.'
      )
    }
    return { client_id: form.client_id, client_secret: form.client_secret }
  }
  const basic = basicCredentials(authorization)
  if (form.client_secret !== undefined || (form.client_id ?? basic.client_id) !== basic.client_id) {
    throw new OAuthError('invalid_request', 'Give the credentials once: as form fields or by HTTP Basic.')
  }
  return basic
}

function basicCredentials(authorization: string): { client_id: string; client_secret: string } {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const match = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8'))
  if (match === null)
    throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic with client_id:client_secret.')
  return { client_id: formDecoded(match[1] ?? ''), client_secret: formDecoded(match[2] ?? '') }
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
