import { once } from 'node:events'
import { createServer } from 'node:net'
import { errorCode } from '../../core/unknown.ts'

/** The first port from `first` to `last` on which nothing listens at `host`; undefined when there is none. */
export async function findFreePort(host: string, first: number, last: number): Promise<number | undefined> {
  for (let port = first; port <= last; port++) if (await isFree(host, port)) return port
  return undefined
}

async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen({ host, port })
    await once(probe, 'listening')
    return true
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return false
    throw error
  } finally {
    probe.close()
  }
}
