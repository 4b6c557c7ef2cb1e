import { ConflictError, type Db, type Emit, InputError, NotFoundError } from 'galley/plugin'
import type { DecisionBy, GateDefinition, Gates, HeldSubject } from 'galley/plugins/gates'
import type { PublishedPosts } from 'galley/plugins/posts'
import { type Reaction, ReactionShown } from './index.ts'
import { countHeld, decideReaction, insertReaction, listHeld } from './repository.ts'

export const reviewGate = 'reaction_review'

export interface ReactionDeps {
  db: Db
  emit: Emit
  gates: Gates
  published: PublishedPosts
  /** What readers may choose from. */
  kinds(): readonly string[]
  isReviewed(): boolean
}

export interface Reactions {
  /** Adds a reader's reaction, which waits while the gate is on. @throws NotFoundError, InputError */
  react(post_id: string, given: { kind: string; note?: string }): Promise<Reaction>
  decide(reaction_id: string, decision: 'approved' | 'rejected', by: DecisionBy): Promise<Reaction>
}

export const createReactions = (deps: ReactionDeps): Reactions => ({
  react: (post_id, given) => react(deps, post_id, given),
  decide: (reaction_id, decision, by) => decide(deps, reaction_id, decision, by)
})

async function react(
  { db, emit, gates, published, kinds, isReviewed }: ReactionDeps,
  post_id: string,
  { kind, note }: { kind: string; note?: string }
): Promise<Reaction> {
  if (!(await published.isPublic(db, post_id))) throw new NotFoundError(`There is no public post ${post_id}.`)
  if (!kinds().includes(kind)) throw new InputError({ kind: `must be one of ${kinds().join(', ')}` })
  return db.transaction(async tx => {
    const status = isReviewed() ? 'held' : 'shown'
    const reaction = await insertReaction(tx, { post_id, kind, note: note ?? null, status })
    if (status === 'held') await gates.hold(tx, reviewGate, subjectOf(reaction), { actor: 'reader', reason: null })
    else await emit(tx, ReactionShown, { reaction_id: reaction.reaction_id, post_id, kind })
    return reaction
  })
}

const decide = (
  { db, emit, gates }: ReactionDeps,
  reaction_id: string,
  decision: 'approved' | 'rejected',
  by: DecisionBy
): Promise<Reaction> =>
  db.transaction(async tx => {
    const reaction = await decideReaction(tx, reaction_id, decision === 'approved' ? 'shown' : 'rejected')
    if (reaction === undefined)
      throw new ConflictError(`The reaction ${reaction_id} does not wait: nothing was changed.`)
    const { actor, reason } = by
    await gates.record(tx, {
      ...{ gate_name: reviewGate, subject_type: 'reaction', subject_id: reaction_id },
      ...{ decision, actor, reason }
    })
    const { post_id, kind } = reaction
    if (decision === 'approved') await emit(tx, ReactionShown, { reaction_id, post_id, kind })
    return reaction
  })

/** The gate that reactions wait at. */
export const reactionReview = (reactions: Reactions, isOn: () => boolean): GateDefinition => ({
  gate_name: reviewGate,
  describe: 'A look at each reaction before readers see it',
  wired_into: 'reactions',
  setting_key: `pipeline_gate_${reviewGate}`,
  isOn,
  countPending: countHeld,
  listPending: async (db, limit) => (await listHeld(db, limit)).map(subjectOf),
  approve: (id, by) => reactions.decide(id, 'approved', by),
  reject: (id, by) => reactions.decide(id, 'rejected', by)
})

const subjectOf = ({ reaction_id, post_id, kind, note }: Reaction): HeldSubject => ({
  ...{ subject_type: 'reaction', subject_id: reaction_id, task_id: null, post_id },
  ...{ title: note === null ? kind : `${kind}: ${note}`, content_hash: null, slot: null }
})
