import { UnavailableError, withTimeout } from '#core'
import type { Storage, StorageDriver } from './index.ts'

/** Above the 8 s that a bucket has. */
const maxProbeSeconds = 10

/** The drivers by the scheme of the addresses they are for. */
export function createStorage({ probeSeconds = maxProbeSeconds } = {}): Storage {
  const drivers = new Map<string, StorageDriver>()
  const schemeOf = (address: string) => address.slice(0, address.indexOf(':') + 1)
  const find = (address: string) => drivers.get(schemeOf(address))
  const unknown = () => `must begin with ${[...drivers.keys()].join(' or ')}`
  return {
    addDriver(scheme, driver) {
      if (drivers.has(`${scheme}:`)) throw new TypeError(`A storage driver for ${scheme}: is registered already.`)
      drivers.set(`${scheme}:`, driver)
    },
    faultOf: address => {
      const driver = find(address)
      return driver === undefined ? unknown() : driver.faultOf(address)
    },
    async probe(address) {
      const probing = find(address)?.probe?.(address)
      if (probing === undefined) return null
      const driver = `the storage driver for ${schemeOf(address)}`
      return withTimeout(
        probeSeconds * 1000,
        probing,
        () => `cannot be used: ${driver} did not answer within ${probeSeconds} s: try again, or repair its plugin`
      )
    },
    open(address, options) {
      const driver = find(address)
      if (driver === undefined) throw new UnavailableError(`The setting ${options.setting} ${unknown()}: correct it.`)
      return driver.open(address, options)
    }
  }
}
