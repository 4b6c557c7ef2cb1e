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

/** What the operator can do; undefined where the error does not say. */
export function adviceFor({ code, responseCode, command }: ConnectionError): string | undefined {
  // A 4xx to a login passes by itself.
  if (code === 'EAUTH') return responseCode === null || responseCode >= 500 ? login : undefined
  if (code === 'ETLS') return command === 'STARTTLS' && responseCode !== null ? noStartTls : undefined
  return responseCode === null ? adviceOfCode.get(code) : undefined
}
