import { AsyncLocalStorage } from 'node:async_hooks'
import { pluginOf } from '../../core/isolation/plugin-faults.ts'
import { errorWithWholeStack } from './whole-stack.ts'

/** A command of a plugin called `process.exit` in a process that others use, too. */
export class CommandExit extends Error {
  readonly status: number

  constructor(status: number) {
    super('The command called process.exit.')
    this.status = status
  }
}

const callers = new AsyncLocalStorage<true>()

/** Runs a command for another process. */
export const forCaller = <T>(work: () => Promise<T>): Promise<T> => callers.run(true, work)

/**
 * From now on `process.exit` of a plugin ends the caller's command that it runs in, as where that has a process of its own, and not
 * this process. Returns what ends that.
 */
export function keepProcessOfCommands(): () => void {
  const { exit } = process
  process.exit = code => {
    const isOfCommand = callers.getStore() !== undefined && pluginOf(errorWithWholeStack('An exit.')) !== undefined
    if (!isOfCommand) return exit.call(process, code)
    const status = Number(code ?? process.exitCode ?? 0)
    process.exitCode = undefined
    throw new CommandExit(status)
  }
  return () => {
    process.exit = exit
  }
}
