const maxAddressLength = 300

/**
 * What to do where an endpoint answers with a redirect, which is not followed: a text or a key must not reach another host.
 * Null for any other answer. `setting` holds the address of the endpoint.
 */
export function redirectFault({ status, headers }: Response, url: string, setting: string): string | null {
  if (status < 300 || status >= 400) return null
  const target = headers.get('location') ?? ''
  const address = URL.canParse(target, url) ? new URL(target, url) : undefined
  const to =
    address === undefined ? 'another address' : `${address.origin}${address.pathname}`.slice(0, maxAddressLength)
  return `${url} answered ${status} and redirects to ${to}. Redirects are not followed: set ${setting} to where the endpoint is.`
}
