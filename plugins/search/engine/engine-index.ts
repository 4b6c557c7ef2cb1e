import { ConflictError, UnavailableError } from '#core'
import type { TextLanguage } from '#text'
import type { SearchDriver } from '../driver.ts'
import { recordFeedFault } from '../repository/feed.ts'
import { createEngineMatcher, type EngineMatcher, type EngineMatcherDeps } from './engine-matcher.ts'
import { feedChanges, unlessUnavailable } from './feed.ts'
import { createFeedState } from './feed-state.ts'
import { needsRebuild, type RebuildDeps, rebuildIndex } from './rebuild.ts'
import type { SearchEngines } from './registry.ts'
import { type EngineIndexStatus, readEngineStatus } from './status.ts'
import { type EngineVerification, type EngineVerifyOptions, verifyEngine } from './verify.ts'

/** The index of an engine, as the plugin uses it. */
export interface EngineIndex extends EngineMatcher {
  /** Sends what changed; nothing while the engine is unreachable: the job does. */
  feed(signal: AbortSignal): Promise<void>
  /** As `update`, for the job: what an engine that is unreachable leaves undone is done by the next one. */
  updateByJob(signal: AbortSignal): Promise<void>
  /** The same, and fills a new index where there is none, or one in another language. @throws UnavailableError */
  update(signal: AbortSignal): Promise<void>
  rebuild(signal: AbortSignal): Promise<void>
  verify(options: EngineVerifyOptions): Promise<EngineVerification>
  status(): Promise<EngineIndexStatus>
  /** That texts were sent in. */
  languages(): Promise<readonly TextLanguage[]>
}

interface EngineIndexDeps extends RebuildDeps, Omit<EngineMatcherDeps, 'driver' | 'feedState'> {
  engines: SearchEngines
}

export function createEngineIndex(deps: EngineIndexDeps): EngineIndex {
  const { db, engines } = deps
  const driver = (): SearchDriver => {
    const fault = engines.chosenFault()
    return fault === null ? engines.chosen() : unusable(fault)
  }
  /** What was sent to an engine must not be forgotten because a setting is wrong for a while. */
  const usable = (): SearchDriver => {
    const fault = engines.chosenFault()
    if (fault !== null) throw new UnavailableError(fault)
    return engines.chosen()
  }
  const update = async (signal: AbortSignal) => {
    const used = usable()
    if (await needsRebuild(used, deps, signal)) await rebuildIndex(used, deps, signal)
    await feedChanges(used, deps, signal)
    await recordFeedFault(db, null)
  }
  const feedState = createFeedState(deps)
  return {
    ...createEngineMatcher({ ...deps, driver, feedState }),
    languages: async () => (await feedState(driver())).languages,
    feed: signal => unlessUnavailable(deps, feedChanges(driver(), deps, signal)),
    updateByJob: signal => unlessUnavailable(deps, update(signal).catch(unlessOtherRebuild)),
    update,
    rebuild: async signal => {
      const used = usable()
      await rebuildIndex(used, deps, signal)
      await feedChanges(used, deps, signal)
    },
    verify: async options => verifyEngine(usable(), deps, options),
    status: () => readEngineStatus(db, engines.chosenName(), engines.chosenFault() ?? engines.chosen())
  }
}

/** In the place of a driver whose settings lack something. */
function unusable(fault: string): SearchDriver {
  const refuse = async () => {
    throw new UnavailableError(fault)
  }
  return {
    target: '',
    add: refuse,
    remove: refuse,
    search: refuse,
    count: refuse,
    status: refuse,
    rebuild: refuse,
    list: refuse
  }
}

/** Another process fills a new index: the job has nothing to do. */
function unlessOtherRebuild(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error
}
