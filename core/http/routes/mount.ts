import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { BootError, type BootProblem } from '../../contract/boot-error.ts'
import type { Origin } from '../../contract/origin.ts'
import { runSyncWithDeadline, withDeadline } from '../../isolation/deadline.ts'
import { nameReadyHooks, problemOf } from '../../isolation/ready-hooks.ts'
import { watchStep } from '../../isolation/steps.ts'
import { messageOf } from '../../unknown.ts'
import type { RouteRules } from './route-rules.ts'

/** The routes of a plugin. */
export interface PluginRoutes {
  readonly name: string
  /** Schemas of built-in plugins are tested: each is compiled when first used, not at the start. */
  readonly origin?: Origin
  readonly routes: FastifyPluginAsync
}

/** Our own routes may be made of what others bring, whose limit comes first and names them. */
const ownDeadlineFactor = 1.5

/** Mounts a plugin's routes in a scope of their own, within the time of a step. */
export function mount(app: FastifyInstance, rules: RouteRules, { name, routes, origin }: PluginRoutes): void {
  const isThirdParty = origin === 'third-party'
  let end: (() => void) | undefined
  app.register(async scope => {
    // Once more than the app has it: where an answer to a failure fails, Fastify asks the handler around it.
    scope.setErrorHandler(app.errorHandler)
    rules.applyTo(scope, name)
    nameReadyHooks(scope, { name, isThirdParty }, rules.problems)
    if (isThirdParty) end = watchStep({ plugin: name, what: 'adding its routes' })
    try {
      await withDeadline(
        Promise.resolve(runSyncWithDeadline(() => routes(scope, {}))),
        isThirdParty ? 1 : ownDeadlineFactor
      )
    } catch (error) {
      rules.problems.push(...problemsOf(name, error))
    }
  })
  // With the scopes inside its own.
  app.after(error => {
    end?.()
    if (error) rules.problems.push(...problemsOf(name, error))
  })
}

/** A plugin whose routes are made of what others bring names the one at fault. */
function problemsOf(plugin: string, error: unknown): readonly BootProblem[] {
  if (error instanceof BootError) return error.problems
  return [problemOf(plugin, `its routes could not be added (${messageOf(error)})`)]
}
