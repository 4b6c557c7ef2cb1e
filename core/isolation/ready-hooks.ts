import type { FastifyInstance } from 'fastify'
import type { BootProblem } from '../contract/boot-error.ts'
import { messageOf } from '../unknown.ts'
import { runSyncWithDeadline, withDeadline } from './deadline.ts'
import { withWatchdog } from './steps.ts'

type ReadyHook = (this: FastifyInstance, done?: (error?: Error) => void) => unknown

/** A plugin's `onReady` hooks have the time limit of a step, and their faults its name. */
export function nameReadyHooks(
  scope: FastifyInstance,
  { name: plugin, isThirdParty }: { name: string; isThirdParty: boolean },
  problems: BootProblem[]
): void {
  const add = scope.addHook as (name: string, hook: unknown) => FastifyInstance
  const named = (hook: ReadyHook) =>
    async function (this: FastifyInstance): Promise<void> {
      try {
        const run = () => withDeadline(Promise.resolve(runSyncWithDeadline(() => promised(hook, this))))
        await (isThirdParty ? withWatchdog({ plugin, what: 'its hook onReady' }, run) : run())
      } catch (error) {
        problems.push(problemOf(plugin, `its hook onReady failed (${messageOf(error)})`))
      }
    }
  // A scope inside this one inherits it.
  scope.addHook = function (this: FastifyInstance, name: string, hook: ReadyHook) {
    return add.call(this, name, name === 'onReady' ? named(hook) : hook)
  } as FastifyInstance['addHook']
}

/** One that takes `done` calls it at its end. */
const promised = (hook: ReadyHook, scope: FastifyInstance): unknown =>
  hook.length === 0
    ? hook.call(scope)
    : new Promise<void>((resolve, reject) => hook.call(scope, error => (error ? reject(error) : resolve())))

export const problemOf = (plugin: string, cause: string): BootProblem => ({
  plugin,
  cause,
  remedy: 'Repair the plugin, or remove it from plugins.config.json.'
})
