import { type Log, messageOf, UnavailableError, withAbort } from '#core'
import type { EngineHits, EngineQuery, EngineSuggestions, EngineSuggestQuery, SearchDriver } from '../driver.ts'
import type { TermFrequencies } from '../query/spelling.ts'
import { engineTerm } from './document.ts'

/** A driver that answers undefined where the engine does not answer, or not in time. */
export interface BestEffortDriver {
  search(query: EngineQuery): Promise<EngineHits | undefined>
  suggest(query: EngineSuggestQuery): Promise<EngineSuggestions | undefined>
  /** By term. An engine that does not answer counts as having all: nothing is corrected. */
  frequencies: TermFrequencies['frequencies']
  /** It did not answer once. */
  hasFailed(): boolean
}

export function createBestEffortDriver(
  driver: SearchDriver,
  signal: AbortSignal,
  warn: (error: unknown) => void
): BestEffortDriver {
  let hasFailed = false
  const ask = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    if (hasFailed || signal.aborted) {
      hasFailed = true
      return undefined
    }
    try {
      const answer = question()
      // It may fail when nobody waits for it any more.
      answer.catch(() => {})
      return await withAbort(signal, answer, (): never => {
        throw new UnavailableError('The search engine has not answered within search_time_limit_ms.')
      })
    } catch (error) {
      hasFailed = true
      if (!(error instanceof UnavailableError) && !signal.aborted) throw error
      warn(error)
      return undefined
    }
  }
  return {
    search: query => ask(() => driver.search(query, signal)),
    suggest: query => ask(async () => driver.suggest?.(query, signal)),
    frequencies: async terms => {
      const asked = new Map([...new Set(terms)].map(term => [term, engineTerm(term)]))
      const found = asked.size === 0 ? undefined : await ask(() => driver.count([...asked.values()], signal))
      const countOf = (written: string) => (found === undefined ? 1 : (found.get(written) ?? 0))
      return new Map(Array.from(asked, ([term, written]) => [term, countOf(written)] as const).filter(([, n]) => n > 0))
    },
    hasFailed: () => hasFailed
  }
}

/** Many searches fail alike: the log has one of them now and then. */
const warnEveryMs = 10_000

export function createWarning({ log, now }: { log: Log; now: () => Date }): (error: unknown) => void {
  let quietUntil = 0
  return error => {
    if (now().getTime() < quietUntil) return
    quietUntil = now().getTime() + warnEveryMs
    log.warn({ reason: messageOf(error) }, 'the search engine does not answer: posts are not found by words')
  }
}
