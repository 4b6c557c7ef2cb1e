import type { Settings } from '#core'
import { addressFault } from '#requests'
import type { RevalidationTarget } from './index.ts'
import { sendRequest } from './request.ts'
import type { hubSettings } from './settings.ts'

interface WebSubDeps {
  settings: Settings<typeof hubSettings>
  /** Address of this service, without a slash at its end. */
  baseUrl(): string
  now: () => Date
}

const maxItems = 20

/** The hub's address as the feeds name it; empty for none, or one that cannot be asked. */
export function hubAddress(settings: Settings<typeof hubSettings>): string {
  const url = settings.get('websub_hub_url')
  return addressFault('websub_hub_url', url) === null ? url : ''
}

/** A WebSub hub, which reads a feed when it is notified of a change. */
export function createWebSub({ settings, baseUrl, now }: WebSubDeps): RevalidationTarget {
  const url = () => settings.get('websub_hub_url')
  return {
    name: 'websub',
    maxItems,
    isSetUp: () => url() !== '',
    fault: () => addressFault('websub_hub_url', url()),
    itemsOf: ({ feeds }) => feeds.map(path => ({ key: path, tags: [] })),
    async send(items, signal) {
      // Hubs differ in whether they take several addresses at once: all of them take this form.
      const form = new URLSearchParams({ 'hub.mode': 'publish' })
      for (const { key } of items) form.append('hub.url', baseUrl() + key)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const hub = {
        who: 'The WebSub hub',
        addressSetting: 'websub_hub_url',
        refusedFor: 'it takes no feeds of this site.'
      }
      const request = { ...hub, url: url(), headers, body: form.toString(), now: now() }
      return (await sendRequest(request, signal)).status
    }
  }
}
