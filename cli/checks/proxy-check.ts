import { type Check, degraded, ok } from '../../core/contract/check.ts'
import type { Db } from '../../core/contract/database.ts'
import { createTrustedProxies } from '../../core/http/rate-limit/callers.ts'
import { undeclaredProxy } from '../../core/http/rate-limit/undeclared-proxies.ts'
import { listAddresses } from './repository.ts'

const lookbackMs = 7 * 86_400_000
/** Where a proxy of one's own is. Anybody from elsewhere can send a forwarding header, and must not make the service look ill. */
const ownNetwork = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0:0:0:0::|f[cd][0-9a-f]{0,2}:|fe80:)/

/** Whether requests came through a proxy that `trusted_proxies` does not name: all behind it share one rate limit. */
export const proxyCheck = (deps: { db: Db; trustedProxies: () => string; now: () => Date }): Check => ({
  name: 'proxies',
  async run() {
    const since = new Date(deps.now().getTime() - lookbackMs)
    const addresses = await listAddresses(deps.db, undeclaredProxy, since)
    const isTrusted = createTrustedProxies(deps.trustedProxies)
    const seen = addresses.filter(each => !isTrusted(each))
    if (seen.length === 0) return ok('none that trusted_proxies does not name')
    const found = `Requests came through proxies that trusted_proxies does not name: ${seen.join(', ')}. All clients behind one share a rate limit.`
    return seen.some(address => ownNetwork.test(address))
      ? degraded(found, 'Where it is yours, name it: galley settings set trusted_proxies <address>')
      : ok(found)
  }
})
