import { createHmac } from 'node:crypto'
import type { Settings } from '#core'
import { addressFault } from '#requests'
import type { RevalidationItem, RevalidationTarget } from './index.ts'
import { sendRequest } from './request.ts'
import type { frontEndSettings } from './settings.ts'

const maxItems = 500

/** The operator's own front end: `{paths, tags}` is posted to `revalidate_url`. */
export function createFrontEnd(settings: Settings<typeof frontEndSettings>, now: () => Date): RevalidationTarget {
  const url = () => settings.get('revalidate_url')
  return {
    name: 'front-end',
    maxItems,
    isSetUp: () => url() !== '',
    fault: () => addressFault('revalidate_url', url()) ?? settings.secretFor('revalidate_secret', url()).fault,
    itemsOf: ({ paths }) => paths.map(({ path, tags }) => ({ key: path, tags })),
    async send(items, signal) {
      const address = url()
      const { value: secret, fault: secretFault } = settings.secretFor('revalidate_secret', address)
      const body = JSON.stringify(bodyOf(items))
      const headers = { 'content-type': 'application/json', ...signed(secret, body, now()) }
      const request = {
        who: 'The front end',
        addressSetting: 'revalidate_url',
        refusedFor: secretFault,
        url: address,
        now: now()
      }
      return (await sendRequest({ ...request, headers, body }, signal)).status
    }
  }
}

const bodyOf = (items: readonly RevalidationItem[]) => ({
  paths: items.map(({ key }) => key),
  tags: [...new Set(items.flatMap(({ tags }) => tags))]
})

/** The secret itself, and a signature that also says when: a recorded request is refused later. */
function signed(secret: string, body: string, now: Date): Record<string, string> {
  if (secret === '') return {}
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return {
    'x-revalidate-secret': secret,
    'x-revalidate-timestamp': timestamp,
    'x-revalidate-signature': `sha256=${signature}`
  }
}
