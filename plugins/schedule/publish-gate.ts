import type { Db } from '#core'
import type { GateDefinition, GateLabels, HeldSubject } from '#plugins/gates'
import type { DuePosts, PostSlot, Posts } from '#plugins/posts'
import { publishGateName } from './settings.ts'
import type { SlotChanges } from './slot-changes.ts'

interface PublishGateDeps {
  db: Db
  posts: Pick<Posts, 'read'>
  due: Pick<DuePosts, 'countHeld' | 'listHeld'>
  changes: Pick<SlotChanges, 'approve' | 'reject'>
  isGateOn(): boolean
}

export function createPublishGate({ db, posts, due, changes, isGateOn }: PublishGateDeps): GateDefinition {
  const read = async (post_id: string) => (await posts.read(db, post_id)) ?? { post_id }
  return {
    gate_name: publishGateName,
    describe: 'A last approval of a scheduled post when its slot is reached',
    wired_into: 'the publisher',
    setting_key: `pipeline_gate_${publishGateName}`,
    labels: publishLabels,
    isOn: isGateOn,
    countPending: queryable => due.countHeld(queryable, publishGateName),
    listPending: async (queryable, limit, ids) =>
      (await due.listHeld(queryable, publishGateName, limit, ids)).map(subjectOf),
    approve: async (id, by) => read(await changes.approve(id, by)),
    reject: async (id, by) => read(await changes.reject(id, by))
  }
}

/** What messages call a post that waits at its slot. */
export const publishLabels: GateLabels = {
  noun: 'post',
  title: 'A post waits at its slot for a last approval',
  describe: 'a post held at its slot',
  commandLine: (verb, { subject_id }) => `galley schedule ${verb} ${subject_id}`
}

const subjectOf = ({ post_id, task_id, title, content_hash, published_at }: PostSlot): HeldSubject => ({
  subject_type: 'post',
  subject_id: post_id,
  task_id,
  post_id,
  title,
  content_hash,
  slot: published_at
})
