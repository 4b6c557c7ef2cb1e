import { emailFault, parseAddress } from '../addresses.ts'

/** Who a mail is from. */
export interface Mailbox {
  /** Empty for none. */
  name: string
  address: string
}

const withName = /^([^<>\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u

/** `news@example.com` or `The Tides <news@example.com>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const match = withName.exec(text.trim())
  const address = parseAddress(match?.[2] ?? text)
  return address === null ? null : { name: (match?.[1] ?? '').replaceAll('"', '').trim(), address }
}

/** What is wrong with a sender; null for nothing, and for an empty one. */
export const mailboxFault = (text: string): string | null =>
  text === '' || parseMailbox(text) !== null ? null : `${emailFault}, or Name <ada@example.com>`

export const domainOf = ({ address }: Pick<Mailbox, 'address'>): string => address.slice(address.lastIndexOf('@') + 1)
