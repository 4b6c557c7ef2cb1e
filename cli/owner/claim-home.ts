import { setTimeout as wait } from 'node:timers/promises'
import { ConflictError } from '../../core/contract/errors.ts'
import { type HomeLock, lockHome } from '../database/home-lock.ts'
import { connectOwner, type Owner } from './remote.ts'

/** Another command may hold the home for a moment, and a server that starts does not listen yet. */
const timeoutMs = 30_000
const retryMs = 50

/** The home is ours, or somebody else's who runs commands for us. */
export type HomeClaim = { lock: HomeLock; owner?: undefined } | { lock?: undefined; owner: Owner }

/**
 * Takes the home, or connects to the process that has it.
 * @throws ConflictError naming the owner's pid when it neither lets go nor answers.
 */
export async function claimHome(options: { home: string; version: string; signal?: AbortSignal }): Promise<HomeClaim> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const owner = await connectOwner(options)
    if (owner !== null) return { owner }
    try {
      return { lock: lockHome(options.home) }
    } catch (error) {
      if (!(error instanceof ConflictError) || Date.now() > deadline) throw error
      await wait(retryMs, undefined, options.signal === undefined ? {} : { signal: options.signal })
    }
  }
}

/**
 * Takes the home where no server runs.
 * @throws ConflictError with what `refusal` says of the server's process.
 */
export async function lockWithoutServer(
  options: Parameters<typeof claimHome>[0],
  refusal: (pid: number) => string
): Promise<HomeLock> {
  const { lock, owner } = await claimHome(options)
  if (lock !== undefined) return lock
  owner.close()
  throw new ConflictError(refusal(owner.pid))
}
