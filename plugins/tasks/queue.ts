import type { Emit, Enqueue, Tx } from '#core'
import { TaskCreated } from './index.ts'
import { PickUpTask } from './job-types.ts'

/** Queues a new or approved task for the pipeline. */
export async function queueTask(
  { enqueue, emit }: { enqueue: Enqueue; emit: Emit },
  tx: Tx,
  task_id: string,
  actor: string
): Promise<void> {
  await enqueue(tx, PickUpTask, { task_id })
  await emit(tx, TaskCreated, { task_id, actor })
}
