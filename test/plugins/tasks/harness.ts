import { UnavailableError } from '#core'
import type { Assignment, Rail, Writer } from '#plugins/tasks'
import { createComponents } from '../../../plugins/tasks/components.ts'
import tasksPlugin from '../../../plugins/tasks/plugin.ts'
import { openPosts } from '../posts/harness.ts'

interface QueuedJob {
  type: string
  data: object
  failures?: number
}

/**
 * The tasks with posts and gates as they are, on a real database. Jobs and events wait in lists until the test runs or
 * delivers one: in any order, late or twice, as a queue may. Writer and check are the test's: `pipeline` says what they do.
 */
export async function openTasks() {
  const harness = await openPosts({ withMemory: false })
  const { posts, search, gates, jobs, events } = harness
  const pipeline = { isWriterDown: false, isRailDown: false, score: 90 }
  const assignments: Assignment[] = []
  const ofRails = (key: string) => (key.endsWith('_threshold') ? '50' : key === 'qa_rail_verdict' ? 'required' : 'off')
  const store = { value: (key: string) => (key.startsWith('qa_rail_') ? ofRails(key) : 'UTC'), check: () => {} }
  const context = harness.contextOf(tasksPlugin.settings, {
    posts,
    gates,
    memory: undefined,
    similar: search.similar,
    logs: { registerPipelineLog() {} },
    store
  }) as never
  const plugin = tasksPlugin.setup(context)
  let drafts = 0
  const writer: Writer = {
    name: 'test',
    async write(assignment) {
      if (pipeline.isWriterDown) throw new UnavailableError('The writer does not answer.')
      assignments.push(assignment)
      drafts += 1
      return { title: `Draft ${drafts}`, excerpt: '', content: `Text ${drafts}.`, source_ids: [], model: 'test' }
    }
  }
  const rail: Rail = {
    ...{ name: 'verdict', describe: '', mode: 'required', threshold: 50, weight: 1 },
    check: () => {
      if (pipeline.isRailDown) throw new UnavailableError('The critic does not answer.')
      return { score: pipeline.score, note: '' }
    }
  }
  plugin.services.tasks.registerWriter(writer, () => true)
  plugin.services.tasks.registerRail(rail)
  const signal = new AbortController().signal

  /** A job that fails is queued again, and given up when it failed three times. */
  const runJob = async (queued: QueuedJob) => {
    const job = plugin.jobs?.find(({ type }) => type === queued.type)
    try {
      await job?.handle(queued.data as never, { id: 'job', deliveryCount: 1, signal, recordProgress: async () => {} })
    } catch (error) {
      const failures = (queued.failures ?? 0) + 1
      if (failures < 3) jobs.push({ ...queued, failures } as QueuedJob)
      else await job?.options.onDeadLetter?.(queued.data as never, error as Error)
    }
  }
  const deliver = async ({ type, payload }: (typeof events)[number]) => {
    for (const subscription of plugin.subscriptions ?? [])
      if (subscription.event === type)
        await subscription.handle(payload as never, {
          id: 'event',
          deliveryCount: 1,
          signal,
          recordProgress: async () => {}
        })
  }
  /** Everything queued, and what that queues. */
  const drain = async () => {
    while (jobs.length > 0 || events.length > 0) {
      for (const event of events.splice(0)) await deliver(event)
      for (const job of jobs.splice(0)) await runJob(job)
    }
  }
  const components = createComponents(context)
  return {
    ...harness,
    operations: components.tasks,
    topics: components.topics,
    pipeline,
    assignments,
    signal,
    runJob,
    deliver,
    drain
  }
}

export type TaskHarness = Awaited<ReturnType<typeof openTasks>>
