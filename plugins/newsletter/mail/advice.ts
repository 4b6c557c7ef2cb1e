/** What an error of a connection says of itself. */
export interface ConnectionError {
  /** Of the system or of TLS, such as `ECONNREFUSED`; else that of the client, such as `EAUTH`. */
  code: string
  /** Of the server's answer. */
  responseCode: number | null
  command: string
}

const unreachable =
  'No mail server answers there: check the host and the port of smtp_url, and whether a firewall is in between.'
const unknownHost = 'This name of a host is not known: check smtp_url.'
const timedOut =
  'The mail server did not answer in time: check the host and the port of smtp_url. Port 465 needs smtps://, port 587 smtp://.'
const notTls = 'This port does not begin with TLS: write smtp:// instead of smtps:// in smtp_url, which uses STARTTLS.'
const noStartTls =
  'This port has no STARTTLS, and nothing is sent without TLS: write smtps:// and its port, often 465, in smtp_url.'
const untrusted =
  'No authority that is trusted here signed this certificate: name the file of its authority in NODE_EXTRA_CA_CERTS, and start galley again.'
const otherName = 'The certificate is for another name: write the name that it is for as the host of smtp_url.'
const expired = 'The certificate has expired: the mail server needs a new one.'
const login =
  'The mail server refused the login: check the user and the password in smtp_url. Special characters are percent-encoded there, such as %40 for @.'
const noLogin =
  'The mail server offers no login that galley knows: PLAIN, LOGIN or CRAM-MD5. Use another port, another server, or a login of your provider for programs that send mail.'
const noPassword = 'A user without a password is no login: write both in smtp_url, or neither.'

const adviceOfCode = new Map([
  ['ECONNREFUSED', unreachable],
  ['EHOSTUNREACH', unreachable],
  ['ENETUNREACH', unreachable],
  ['ENOTFOUND', unknownHost],
  ['EAI_AGAIN', unknownHost],
  ['EDNS', unknownHost],
  ['ETIMEDOUT', timedOut],
  ['ERR_SSL_WRONG_VERSION_NUMBER', notTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', notTls],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['ERR_TLS_CERT_ALTNAME_INVALID', otherName],
  ['CERT_HAS_EXPIRED', expired]
])

/**
 * RFC 4954: the method is not known, or not by that server at all. The client tries PLAIN where the server offers none that it
 * knows.
 */
const hasNoLogin = (responseCode: number | null): boolean => [500, 502, 503, 504].includes(responseCode ?? 0)

/** What the operator can do; undefined where the error does not say. */
export function adviceFor({ code, responseCode, command }: ConnectionError): string | undefined {
  if (code === 'EAUTH' && hasNoLogin(responseCode)) return noLogin
  // The client has not asked the server.
  if (code === 'EAUTH' && command === 'API') return noPassword
  // A 4xx to a login passes by itself.
  if (code === 'EAUTH') return responseCode === null || responseCode >= 500 ? login : undefined
  if (code === 'ETLS') return command === 'STARTTLS' && responseCode !== null ? noStartTls : undefined
  return responseCode === null ? adviceOfCode.get(code) : undefined
}
