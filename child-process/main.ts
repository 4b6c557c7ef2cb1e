// Runs in a process of its own, so that an input that loops or fills the memory ends only this one.
import vm from 'node:vm'
import { errorCode, messageOf } from '#core/unknown'
import { beChild } from './be-child.ts'
import { type ChildAnswer, type ChildMessage, type ChildRequest, tooSlow } from './protocol.ts'

/** Only a script can be stopped after a time, and it reaches what it runs by a global name only. */
const globalName = 'galleyCall'
const script = new vm.Script(`globalThis.${globalName}()`)

beChild()
process.on('message', (request: ChildRequest) => {
  void answer(request).then(send)
})

function send(answered: ChildAnswer): void {
  try {
    process.send?.(answered)
  } catch (error) {
    // What is nested in thousands of levels cannot be sent.
    process.send?.({
      kind: 'refused',
      reason: `cannot be read (${messageOf(error).slice(0, 200)})`
    } satisfies ChildAnswer)
  }
}

async function answer(request: ChildRequest): Promise<ChildAnswer> {
  const { module, name, input, isMany } = request
  try {
    const exported: Readonly<Record<string, unknown>> = await import(module)
    const call = exported[name]
    if (typeof call !== 'function') return { kind: 'unusable', reason: `${module} exports no function ${name}.` }
    return answerOf(isMany && Array.isArray(input) ? () => input.map(each => call(each)) : () => call(input), request)
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

const isTimeout = (error: unknown) => errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

function reasonOf(error: unknown): string {
  if (!(error instanceof RangeError)) return `cannot be read (${messageOf(error).slice(0, 200)})`
  // A limit of the engine: it gives such an error no code.
  const [, reason] = limitsOfEngine.find(([start]) => error.message.startsWith(start)) ?? []
  return reason ?? error.message
}

const limitsOfEngine = [
  ['Maximum call stack', 'is nested too deep'],
  ['Invalid string length', 'becomes too long']
] as const
