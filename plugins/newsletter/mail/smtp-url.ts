/** A mail server and the login there. */
export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS. */
  isSecure: boolean
  /** False only for this machine: nobody listens in between. */
  requiresTls: boolean
  /** Null without a login. */
  login: { user: string; password: string } | null
}

const form = 'must be smtps://user:password@host:465 or smtp://user:password@host:587, the login percent-encoded'

/** What is wrong with an address of a mail server; null for nothing, and for an empty one. It does not repeat the password. */
export const smtpFault = (text: string): string | null => (text === '' || parseSmtpUrl(text) !== null ? null : form)

/** The mail server of an `smtp:` or `smtps:` address; null for anything else. */
export function parseSmtpUrl(text: string): MailServer | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const isSecure = protocol === 'smtps:'
  if (!(isSecure || protocol === 'smtp:') || hostname === '') return null
  // Options in the address, such as one that accepts any certificate, are not taken.
  if (!['', '/'].includes(pathname) || search !== '' || hash !== '') return null
  const login = decodeLogin(username, password)
  if (login === undefined) return null
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const usualPort = isSecure ? 465 : 587
  return {
    host,
    port: port === '' ? usualPort : Number(port),
    isSecure,
    requiresTls: !isSecure && !isLoopback(host),
    login
  }
}

/** Null without a login, undefined for one that cannot be decoded. */
function decodeLogin(username: string, password: string): MailServer['login'] | undefined {
  if (username === '') return password === '' ? null : undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
