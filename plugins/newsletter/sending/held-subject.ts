import type { HeldSubject } from '#plugins/gates'
import type { SendRow } from '../repository/sends.ts'

export const sendGateName = 'newsletter_send'

/** A newsletter as gates know it. */
export const heldSubjectOf = (send: SendRow): HeldSubject => ({
  subject_type: 'newsletter',
  subject_id: send.send_id,
  task_id: null,
  post_id: send.post_id,
  title: send.subject,
  content_hash: send.content_hash,
  slot: Date.parse(send.send_at) > Date.parse(send.created_at) ? send.send_at : null
})
