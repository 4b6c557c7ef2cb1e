import { requestFailure } from '#requests'
import { DeliveryError } from './delivery-error.ts'

/** The delivery error for a request to a chat service that has no answer. */
export function networkError(error: unknown): DeliveryError {
  const { mayHaveArrived, reason } = requestFailure(error)
  const message = `The chat service ${reason}${mayHaveArrived ? ': the message may have arrived.' : '.'}`
  return new DeliveryError(mayHaveArrived ? 'unknown' : 'not_delivered', message, { isChannelDown: true })
}
