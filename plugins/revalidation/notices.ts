import type { Notice } from '#plugins/notify'
import { pluralized } from '#text/plural'

/** Changes that a target was not notified of for a day. */
export const deadLettersNotice = (target: string, items: number, error: string): Notice => ({
  title: `The ${target} was not notified of ${pluralized(items, 'change')} for a day`,
  lines: [error, 'They are parked until it answers again. Correct the cause, then: galley revalidation retry'],
  actions: [],
  overview: { label: null, chat: null, hint: '', cli: 'galley revalidation status' }
})
