import { addressFault } from '#requests'
import type { RevalidationTarget } from '../index.ts'
import { sendRequest, type TargetRequest } from '../request.ts'
import { TargetError } from '../target-error.ts'

/** How a CDN is asked to forget what it stored. */
export interface CdnDriver {
  /** One word. */
  readonly name: string
  /** The setting that holds the address of its interface. */
  readonly addressSetting: string
  /** The header by which it knows the tags of a response, as `cache_tag_header` calls it. */
  readonly tagHeader: string
  /** Tags in one request. */
  readonly maxTags: number
  isSetUp(): boolean
  address(): string
  /** Why its secret is not sent; null when it is, or there is none. */
  secretFault(): string | null
  /** The request that purges whatever has one of these tags. */
  requestFor(tags: readonly string[]): Pick<TargetRequest, 'url' | 'method' | 'headers' | 'body'>
  /** Why it answers 401 or 403, where it has no secret. */
  readonly refusedFor?: string
  /** Whether a successful answer says that it purged. `reason`: the words beside its status. */
  isDone(text: string, reason: string): boolean
}

interface CdnDeps {
  /** The value of `cache_tag_header`. */
  tagHeader(): string
  now(): Date
}

/** A CDN as a target: it is notified of cache tags. */
export function createCdn(driver: CdnDriver, { tagHeader, now }: CdnDeps): RevalidationTarget {
  const { name, addressSetting } = driver
  const headerFault = () =>
    tagHeader() === driver.tagHeader
      ? null
      : `${name} purges by the header ${driver.tagHeader}, which public responses lack: set cache_tag_header to it.`
  return {
    name,
    maxItems: driver.maxTags,
    isSetUp: driver.isSetUp,
    fault: () => addressFault(addressSetting, driver.address()) ?? driver.secretFault() ?? headerFault(),
    itemsOf: ({ cacheTags }) => cacheTags.map(tag => ({ key: tag, tags: [] })),
    async send(items, signal) {
      const refusedFor = driver.secretFault() ?? driver.refusedFor ?? null
      const asked = { who: `The CDN ${name}`, addressSetting, refusedFor, now: now() }
      const { status, text, reason } = await sendRequest(
        { ...asked, ...driver.requestFor(items.map(({ key }) => key)) },
        signal
      )
      if (!driver.isDone(text, reason))
        throw new TargetError(`The CDN ${name} answered ${status}, but not that it purged.`, { status })
      return status
    }
  }
}

/** An address with a path of the CDN's interface behind it. */
export const apiUrl = (address: string, path: string): string => address.replace(/\/+$/, '') + path
