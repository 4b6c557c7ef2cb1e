// Runs in a process of its own: one call, which may take minutes.
import { errorCode, isObject, messageOf } from '#core/unknown'
import { beChild, endIfOrphaned } from './be-child.ts'
import type { LongMessage, SentLongRequest } from './long-call.ts'

beChild()
process.on('message', (request: SentLongRequest) => void run(request))

/** A film says for each of its packets how far it is. */
const progressStep = 0.005

const send = (message: LongMessage) => process.send?.(message)

async function run({ module, name, input, parentPid }: SentLongRequest): Promise<void> {
  try {
    const exported: Readonly<Record<string, unknown>> = await import(module)
    const call = exported[name]
    if (typeof call !== 'function') throw new TypeError(`${module} exports no function ${name}.`)
    let sent = 0
    const onProgress = (share: number) => {
      endIfOrphaned(parentPid)
      if (share - sent < progressStep) return
      sent = share
      send({ kind: 'progress', share })
    }
    send({ kind: 'done', output: await call(input, onProgress) })
  } catch (error) {
    send({ kind: 'failed', message: messageOf(error), code: systemCodeOf(error) })
  }
}

/** The code of a call of the system that failed. */
const systemCodeOf = (error: unknown): string | undefined =>
  isObject(error) && error.syscall !== undefined ? errorCode(error) : undefined
