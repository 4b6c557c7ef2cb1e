import { type Fields, payloadFields, payloadText } from '../payload.ts'

/** What a sender calls the kind of its event; `unknown` when it does not say. */
export const typeOfEvent = (payload: Fields): string => {
  const { type, event, event_type, status, meta } = payload
  return payloadText(type ?? event ?? event_type ?? payloadFields(meta).event_name ?? status, 200) ?? 'unknown'
}
