import type { GateLabels } from '#plugins/gates'

/** What messages call a topic that waits. */
export const topicLabels: GateLabels = {
  noun: 'topic',
  title: 'A topic waits for a decision',
  describe: 'a proposed topic',
  commandLine: (verb, { subject_id }) => `galley topics ${verb} ${subject_id}`
}

/** What messages call a draft that waits. */
export const draftLabels: GateLabels = {
  noun: 'draft',
  title: 'A draft waits for approval',
  describe: 'a draft',
  requiredReason: 'what should change',
  // `galley tasks approve` publishes at once: the gate gives back the slot that an edit took.
  commandLine: (verb, { subject_type, subject_id }) =>
    subject_type === 'task' && verb === 'reject' ? `galley tasks reject ${subject_id} --feedback "…"` : null
}
