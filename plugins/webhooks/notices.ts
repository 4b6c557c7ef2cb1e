import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'

/** A delivery that was given up. */
export const deadDeliveryNotice = (delivery: {
  id: string
  source: string
  event_type: string
  error: string
}): Notice => ({
  title: `A webhook of ${delivery.source} could not be handled: ${truncateText(delivery.event_type, 100)}`,
  lines: [delivery.error],
  actions: [
    { label: null, chat: null, hint: '', cli: `galley webhooks show ${delivery.id}` },
    { label: null, chat: null, hint: '', cli: `galley webhooks replay ${delivery.id}` }
  ],
  overview: { label: null, chat: null, hint: '', cli: 'galley webhooks list --state parked' }
})
