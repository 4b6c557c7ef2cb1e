import type { GateDecision, HeldSubject } from '#plugins/gates'
import type { PostDecision, PostRef } from '#plugins/posts'

/**
 * What tasks write at gates: of topics, and of drafts. They write that a draft waits when it has passed its checks. What
 * then happens to the waiting post is written by the posts. After `unpublish` or `restore` the post is a draft again:
 * its task waits alone, and tasks write.
 */
export const taskDecision = (
  gate_name: string,
  task_id: string,
  decision: GateDecision['decision'],
  { actor, reason = null, content_hash = null }: PostDecision
): GateDecision => ({
  gate_name,
  subject_type: 'task',
  subject_id: task_id,
  decision,
  actor,
  reason,
  content_hash
})

/** A topic as it waits for a decision. */
export const topicSubject = ({ task_id, topic }: { task_id: string; topic: string }): HeldSubject => ({
  ...ofTask(task_id),
  title: topic
})

/** A drafted post as it waits for approval: by its task. */
export const draftSubject = (task_id: string, { post_id, title, content_hash }: PostRef): HeldSubject => ({
  ...ofTask(task_id),
  post_id,
  title,
  content_hash
})

const ofTask = (task_id: string) => ({
  subject_type: 'task',
  subject_id: task_id,
  task_id,
  post_id: null,
  content_hash: null,
  slot: null
})
