import { type Log, UnavailableError } from '#core'
import type { Engine, EngineDeps } from './engine.ts'

/** Creates the engine at the first query: loading the library would add a third to a start. */
export function createLazyEngine({ log, ...deps }: EngineDeps & { log: Log }): () => Promise<Engine> {
  const create = async (): Promise<Engine> => {
    try {
      return await (await import('./engine.ts')).createEngine(deps)
    } catch (err) {
      log.error({ err }, 'the GraphQL schema cannot be built: galley doctor says what to do')
      throw new UnavailableError('GraphQL is not available: its schema cannot be built. The log says why.')
    }
  }
  let engine: Promise<Engine> | undefined
  return () => (engine ??= create())
}
