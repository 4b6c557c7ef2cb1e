import { UnavailableError } from '#core'
import type { Deliveries } from './deliveries.ts'
import type { Notice } from './index.ts'
import type { MessageView } from './repository/lists.ts'

/** The outcome of a test message. */
export interface TestReport {
  sent: boolean
  messages: Pick<MessageView, 'id' | 'channel' | 'state' | 'message_id' | 'error'>[]
}

/** Sends a test message now. @throws ConflictError when no chat is set up, UnavailableError when none took it */
export async function sendTest(deliveries: Deliveries, notice: Notice): Promise<TestReport> {
  const views = await deliveries.sendNow(notice)
  const messages = views.map(({ id, channel, state, message_id, error }) => ({ id, channel, state, message_id, error }))
  const failed = messages.filter(({ state }) => state !== 'sent')
  if (failed.length === messages.length) {
    const reasons = failed.map(({ channel, error }) => `${channel}: ${error}`)
    throw new UnavailableError(`The test message did not arrive. ${reasons.join(' ')}`)
  }
  return { sent: failed.length === 0, messages }
}
