import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { errorCode } from '../unknown.ts'
import { runSyncWithDeadline, StartTimeoutError, withDeadline } from './deadline.ts'
import { runStep, type StartStep, withWatchdog } from './steps.ts'

/** What a plugin's module exports. */
export interface PluginModule {
  default?: unknown
}

const require = createRequire(import.meta.url)
/** The engine cannot import a module again that it has ended, and its error does not say why: this remembers it. */
const timedOutModules = new Set<string>()

/**
 * Imports a third party's module. One that loops would hold up this thread for ever: read synchronously, the engine can end it.
 * @throws StartTimeoutError when it does not end.
 */
export async function importThirdParty(file: string, step: StartStep): Promise<PluginModule> {
  if (timedOutModules.has(file)) throw new StartTimeoutError()
  try {
    return await importInTime(file, step)
  } catch (error) {
    if (error instanceof StartTimeoutError) timedOutModules.add(file)
    throw error
  }
}

async function importInTime(file: string, step: StartStep): Promise<PluginModule> {
  try {
    const module = runStep(step, () => runSyncWithDeadline<PluginModule>(() => require(file)))
    return types.isModuleNamespaceObject(module) ? module : { default: module }
  } catch (error) {
    if (!mustBeAwaited(error)) throw error
    return withWatchdog(step, () => withDeadline<PluginModule>(import(pathToFileURL(file).href)))
  }
}

/** It awaits something itself, or is being imported at this moment. */
const mustBeAwaited = (error: unknown): boolean => errorCode(error)?.startsWith('ERR_REQUIRE_') === true
