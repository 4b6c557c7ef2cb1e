import { domainToASCII } from 'node:url'

/** RFC 5321: what a mail server has to take. */
const maxLength = 254
const maxLocalLength = 64
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localPart = new RegExp(`^${atom}(\\.${atom})*$`)
/** Of a domain in ASCII: two labels at least, and the last one is no number. */
const domainPart = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/** What is said of a text that is no address. */
export const emailFault = 'must be an e-mail address such as ada@example.com'

/**
 * The address as mail is sent to it: its domain in lower case and in ASCII, the part before the @ as it was typed. Null for
 * what is none. Quoted and non-ASCII local parts are not taken: few servers deliver them.
 */
export function parseAddress(text: string): string | null {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  if (at < 1 || local.length > maxLocalLength || trimmed.length > 2 * maxLength || !localPart.test(local)) return null
  const given = trimmed.slice(at + 1)
  // What is no name of a host is changed or decoded by the function below: it must not come that far.
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(given)) return null
  const domain = domainToASCII(given).toLowerCase()
  const address = `${local}@${domain}`
  return domainPart.test(domain) && address.length <= maxLength ? address : null
}

/** The same for all spellings of an address: hardly a server tells upper from lower case before the @. */
export const addressKey = (address: string): string => address.toLowerCase()

const gmailDomains = new Set(['gmail.com', 'googlemail.com'])

/**
 * The same for all addresses of a mailbox: most servers ignore what follows a `+` before the @, and Gmail dots as well. Where a
 * server does not, two people share a key.
 */
export function mailboxKey(address: string): string {
  const key = addressKey(address)
  const at = key.lastIndexOf('@')
  const [name = ''] = key.slice(0, at).split('+', 1)
  const domain = key.slice(at + 1)
  if (name === '') return key
  return gmailDomains.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

const anyAddress = /[^\s<>"(),;:[\]\\@]{1,64}@[^\s<>"'(),;:[\]\\@]{1,255}/g

/** A text of a mail server or an error, without the addresses in it: fit for logs, rows and messages. */
export const withoutAddresses = (text: string): string => text.replace(anyAddress, '(address)')
