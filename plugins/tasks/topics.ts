import { ConflictError, type Db, type Enqueue, NotFoundError, type Tx } from '#core'
import { firstPage, type Page, type PageRequest, toPage } from '#lists'
import type { GateDefinition } from '#plugins/gates'
import type { PostDecision, SimilarPosts } from '#plugins/posts'
import type { ApprovalDeps } from './approval.ts'
import { taskDecision, topicSubject } from './gate-rows.ts'
import { TopicProposed } from './index.ts'
import { topicLabels } from './labels.ts'
import { addTask, moveTask } from './moves.ts'
import { queueTask } from './queue.ts'
import { findTask, type NewTask, resolveTaskId, type TaskRow } from './repository/tasks.ts'
import { countTopics, findTopic, listTopics, lockQueue, type TopicRow } from './repository/topics.ts'
import { newTask, type TaskRequest } from './request.ts'
import { duplicateTopic, nearestDuplicate, nearestPost, nearestTopic, nearlyRepeats } from './topic-duplicates.ts'

const topicGateName = 'topic_decision'

/** A topic with its artifact: what it was proposed with, by the specification's names. */
export interface TopicView extends TopicRow {
  artifact: {
    topic: string
    keyword: string | null
    tags: string[]
    category: string | null
    source: string
    target_length: number
    style: string
    tone: string
  }
}

/** The topic queue. Ids may be prefixes of 8 or more characters. */
export interface Topics {
  /**
   * With the gate off the topic goes straight into the pipeline. `near_duplicate` says what it nearly repeats.
   * @throws ConflictError `TOPIC_QUEUE_FULL`; with `strict`, `DUPLICATE_TOPIC` for one that nearly repeats something.
   */
  propose(request: TaskRequest, by: { actor: string; source: string; strict?: boolean }): Promise<TopicView>
  /** Topics that wait, oldest first. */
  list(source: string | null, page: PageRequest): Promise<Page<TopicView>>
  show(id: string): Promise<TopicView>
  approve(id: string, by: PostDecision): Promise<TopicView>
  reject(id: string, by: PostDecision): Promise<TopicView>
}

interface TopicDeps extends Pick<ApprovalDeps, 'gates' | 'emit'> {
  db: Db
  enqueue: Enqueue
  /** Undefined: topics are not compared with posts. */
  similar: SimilarPosts | undefined
  isGateOn(): boolean
  maxPending(): number
  /** Similarity from which a proposal nearly repeats something, 0–1. */
  minDuplicateSimilarity(): number
  defaultLength(): number
}

export function createTopics(deps: TopicDeps): Topics {
  const { db } = deps
  const show = async (task_id: string): Promise<TopicView> => {
    const topic = await findTopic(db, task_id)
    if (topic === undefined)
      throw new NotFoundError(`There is no topic ${task_id}: "galley topics list" shows those that wait.`)
    return topicView(topic)
  }
  const decide = async (id: string, decision: (tx: Tx, task_id: string) => Promise<void>): Promise<TopicView> => {
    const task_id = await resolveTaskId(db, id)
    await db.transaction(tx => decision(tx, task_id))
    return show(task_id)
  }
  return {
    propose: async (request, by) => show(await propose(deps, newTask(request, by.source, deps.defaultLength()), by)),
    async list(source, page) {
      const [rows, total] = await Promise.all([listTopics(db, source, page), countTopics(db, source)])
      return toPage(rows.map(topicView), page, total, topic => [topic.created_at, topic.task_id])
    },
    show: async id => show(await resolveTaskId(db, id)),
    approve: (id, by) => decide(id, (tx, task_id) => approve(deps, tx, task_id, by)),
    reject: (id, by) => decide(id, (tx, task_id) => reject(deps, tx, task_id, by))
  }
}

/** The gate that proposals wait at. */
export const createTopicGate = (topics: Topics, isOn: () => boolean): GateDefinition => ({
  gate_name: topicGateName,
  describe: 'A decision on each proposed topic before it is written',
  wired_into: 'the topic queue',
  setting_key: `pipeline_gate_${topicGateName}`,
  labels: topicLabels,
  isOn,
  countPending: db => countTopics(db, null),
  listPending: async (db, limit, ids) =>
    (await listTopics(db, null, firstPage(limit), ids)).slice(0, limit).map(topicSubject),
  approve: (id, by) => topics.approve(id, by),
  reject: (id, by) => topics.reject(id, by)
})

async function propose(
  deps: TopicDeps,
  task: NewTask,
  { actor, strict = false }: { actor: string; strict?: boolean }
): Promise<string> {
  const gate = deps.isGateOn() ? topicGateName : null
  const post = await nearestPost(deps.similar, task.topic)
  return deps.db.transaction(async tx => {
    await lockQueue(tx)
    if (gate !== null) await requireRoom(tx, deps.maxPending())
    const near_duplicate = nearestDuplicate([await nearestTopic(tx, task.topic), post], deps.minDuplicateSimilarity())
    if (strict && near_duplicate !== null) throw duplicateTopic(near_duplicate)
    const { task_id, topic } = await addTask(tx, { ...task, near_duplicate }, { type: 'proposed', actor, gate })
    if (gate === null) await queueTask(deps, tx, task_id, actor)
    else {
      await deps.gates.hold(tx, topicGateName, topicSubject({ task_id, topic }), {
        actor,
        reason: near_duplicate && nearlyRepeats(near_duplicate)
      })
      await deps.emit(tx, TopicProposed, { task_id, actor, topic, source: task.source })
    }
    return task_id
  })
}

async function requireRoom(tx: Tx, limit: number): Promise<void> {
  const waiting = await countTopics(tx, null)
  if (waiting < limit) return
  throw new ConflictError(
    `${waiting} ${waiting === 1 ? 'topic waits' : 'topics wait'} for a decision and topic_discovery_max_pending is ${limit}: approve or reject some first. Nothing was stored.`,
    'TOPIC_QUEUE_FULL'
  )
}

async function approve(deps: TopicDeps, tx: Tx, task_id: string, by: PostDecision): Promise<void> {
  await move(tx, task_id, 'topic_approved', by, by.reason ? { feedback: by.reason } : {})
  await record(deps, tx, task_id, 'approved', by)
  await queueTask(deps, tx, task_id, by.actor)
}

async function reject(deps: TopicDeps, tx: Tx, task_id: string, by: PostDecision): Promise<void> {
  await move(tx, task_id, 'topic_rejected', by, { reason: by.reason ?? null })
  await record(deps, tx, task_id, 'rejected', by)
}

async function move(
  tx: Tx,
  task_id: string,
  name: 'topic_approved' | 'topic_rejected',
  by: PostDecision,
  changes: { feedback?: string; reason?: string | null }
): Promise<TaskRow> {
  const detail = { gate: topicGateName, reason: by.reason ?? null }
  const moved = await moveTask(tx, task_id, name, {
    actor: by.actor,
    changes: { ...changes, awaiting_gate: null },
    detail
  })
  if (moved !== undefined) return moved
  const task = await findTask(tx, task_id)
  if (task === undefined) throw new NotFoundError(`There is no topic ${task_id}.`)
  throw new ConflictError(`The topic ${task_id} waits at no gate: it is ${task.status}. Nothing was changed.`)
}

const record = (
  { gates }: TopicDeps,
  tx: Tx,
  task_id: string,
  decision: 'approved' | 'rejected',
  { actor, reason }: PostDecision
): Promise<void> => gates.record(tx, taskDecision(topicGateName, task_id, decision, { actor, reason }))

const topicView = (topic: TopicRow): TopicView => ({
  ...topic,
  artifact: {
    topic: topic.topic,
    keyword: topic.primary_keyword,
    tags: topic.tags,
    category: topic.category,
    source: topic.source,
    target_length: topic.target_length,
    style: topic.style,
    tone: topic.tone
  }
})
