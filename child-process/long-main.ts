// Runs in a process of its own: one call, which may take minutes, at the lowest priority.
import os from 'node:os'
import { errorCode, isObject, messageOf } from '#core/unknown'
import type { LongMessage, LongRequest } from './long-call.ts'

os.setPriority(os.constants.priority.PRIORITY_LOW)

// A terminal's interrupt goes to all processes of its group: the parent decides what ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit(0))
process.on('message', (request: LongRequest) => void run(request))

const send = (message: LongMessage) => process.send?.(message)

async function run({ module, name, input }: LongRequest): Promise<void> {
  try {
    const exported: Readonly<Record<string, unknown>> = await import(module)
    const call = exported[name]
    if (typeof call !== 'function') throw new TypeError(`${module} exports no function ${name}.`)
    send({ kind: 'done', output: await call(input, (share: number) => send({ kind: 'progress', share })) })
  } catch (error) {
    send({ kind: 'failed', message: messageOf(error), code: systemCodeOf(error) })
  }
}

/** The code of a call of the system that failed. */
const systemCodeOf = (error: unknown): string | undefined =>
  isObject(error) && error.syscall !== undefined ? errorCode(error) : undefined
