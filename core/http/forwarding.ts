/** What proxies add, the declared ones or not. Names arrive in lower case. */
const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/** True when a proxy says that it passes the request on. */
export const isForwarded = ({ headers }: { headers: object }): boolean =>
  Object.keys(headers).some(name => forwarding.test(name))
