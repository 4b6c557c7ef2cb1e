/**
 * On every answer. An answer of this service is data: nothing in it may run, load or be framed. A route that sends a page
 * sets its own `content-security-policy`.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  // Posts, feeds and images are made to be read from other sites.
  'cross-origin-resource-policy': 'cross-origin'
}
