// Runs in a process of its own, so that an input that loops or fills the memory ends only this one.
import vm from 'node:vm'
import { type ChildAnswer, type ChildMessage, type ChildRequest, tooSlow } from './protocol.ts'

/** Only a script can be stopped after a time, and it reaches what it runs by a global name only. */
const globalName = 'galleyCall'
const script = new vm.Script(`globalThis.${globalName}()`)

// A terminal's interrupt goes to all processes of its group: the parent decides what ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit(0))
process.on('message', (request: ChildRequest) => {
  void answer(request).then(answered => process.send?.(answered))
})

async function answer(request: ChildRequest): Promise<ChildAnswer> {
  const { module, name, input } = request
  try {
    const exported: Readonly<Record<string, unknown>> = await import(module)
    const call = exported[name]
    if (typeof call !== 'function') return { kind: 'unusable', reason: `${module} exports no function ${name}.` }
    return answerOf(() => call(input), request)
  } catch (error) {
    return { kind: 'unusable', reason: `${module} cannot be imported (${messageOf(error)}).` }
  }
}

function answerOf(call: () => unknown, { cpuTimeMs, wallTimeMs }: ChildRequest): ChildAnswer {
  process.send?.({ kind: 'loaded' } satisfies ChildMessage)
  const begun = process.threadCpuUsage()
  try {
    return { kind: 'done', output: runWithTimeout(wallTimeMs, call) }
  } catch (error) {
    const { user, system } = process.threadCpuUsage(begun)
    if (isTimeout(error) && (user + system) / 1000 < cpuTimeMs * 0.8) return { kind: 'starved' }
    return { kind: 'refused', reason: isTimeout(error) ? tooSlow(cpuTimeMs) : reasonOf(error) }
  }
}

/** A script is stopped in the middle of whatever it calls, regular expressions included. */
function runWithTimeout(wallTimeMs: number, call: () => unknown): unknown {
  Object.assign(globalThis, { [globalName]: call })
  return script.runInThisContext({ timeout: wallTimeMs })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

function reasonOf(error: unknown): string {
  const message = messageOf(error)
  if (error instanceof RangeError && message.startsWith('Maximum call stack')) return 'is nested too deep'
  if (error instanceof RangeError && message.startsWith('Invalid string length')) return 'becomes too long'
  return error instanceof RangeError ? message : `cannot be read (${message.slice(0, 200)})`
}
