import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { errorCode } from '../unknown.ts'
import { inTime, OutOfTime, runInTime } from './deadline.ts'
import { runStep, type StartStep, watched } from './steps.ts'

/** What a plugin's module exports. */
export interface PluginModule {
  default?: unknown
}

const require = createRequire(import.meta.url)
/** The engine has no second try at a module that it ended: a start that reads its plugins twice would not know why. */
const endless = new Set<string>()

/**
 * Imports a third party's module. One that loops would hold up this thread for ever: read synchronously, the engine can end it.
 * @throws OutOfTime when it does not end.
 */
export async function importThirdParty(file: string, step: StartStep): Promise<PluginModule> {
  if (endless.has(file)) throw new OutOfTime()
  try {
    return await importInTime(file, step)
  } catch (error) {
    if (error instanceof OutOfTime) endless.add(file)
    throw error
  }
}

async function importInTime(file: string, step: StartStep): Promise<PluginModule> {
  try {
    const module = runStep(step, () => runInTime<PluginModule>(() => require(file)))
    return types.isModuleNamespaceObject(module) ? module : { default: module }
  } catch (error) {
    if (!mustBeAwaited(error)) throw error
    return watched(step, () => inTime<PluginModule>(import(pathToFileURL(file).href)))
  }
}

/** It awaits something itself, or is being imported at this moment. */
const mustBeAwaited = (error: unknown): boolean => errorCode(error)?.startsWith('ERR_REQUIRE_') === true
