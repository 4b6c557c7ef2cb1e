import type { Kernel } from '../../core/kernel/kernel.ts'
import { PublishDue } from '../../plugins/schedule/publisher.ts'
import type { CommandResult } from '../../testing/test-service.ts'

/** The publisher's run, as a worker would make it. */
export async function publishDue(kernel: Kernel): Promise<CommandResult> {
  const jobs = kernel.plugins.flatMap(({ contribution }) => contribution.jobs ?? [])
  const { signal } = new AbortController()
  await jobs
    .find(({ type }) => type === PublishDue.id)
    ?.handle({} as never, { id: 'job', deliveryCount: 1, signal, recordProgress: async () => {} })
  return { status: 0, out: '', err: '' }
}
