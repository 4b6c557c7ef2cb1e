import { type Log, UnavailableError } from '#core'
import type { Engine, EngineDeps } from './engine.ts'

/** The engine, made when it is first asked for: the library takes as long to load as a third of a start. */
export function createEngineOnDemand({ log, ...deps }: EngineDeps & { log: Log }): () => Promise<Engine> {
  const make = async (): Promise<Engine> => {
    try {
      return await (await import('./engine.ts')).createEngine(deps)
    } catch (err) {
      log.error({ err }, 'the GraphQL schema cannot be made: galley doctor says what to do')
      throw new UnavailableError('GraphQL is not available: its schema cannot be made. The log says why.')
    }
  }
  let made: Promise<Engine> | undefined
  return () => (made ??= make())
}
