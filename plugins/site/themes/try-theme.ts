import { messageOf } from '#core'
import { faultOfSample, samples } from './check-theme.ts'
import { sourceOf } from './theme-source.ts'
import { startThemeThread, type ThemeThread } from './theme-thread.ts'

/** Loads a theme as the site does and has it make the sample pages. @returns what is wrong, a sentence each */
export async function tryTheme(name: string, packagesFolder: string, signal: AbortSignal): Promise<string[]> {
  try {
    const thread = await startThemeThread(sourceOf(name, packagesFolder))
    try {
      return (await faultsOfSamples(thread, signal)).map(fault => `The theme ${name} ${fault}.`)
    } finally {
      thread.end()
    }
  } catch (error) {
    signal.throwIfAborted()
    return [`The theme ${name} ${messageOf(error)}.`]
  }
}

/** Of all pages, unless its thread ends over one. */
async function faultsOfSamples(thread: ThemeThread, signal: AbortSignal): Promise<string[]> {
  const faults = new Set<string>()
  for (const [kind, site, view] of samples()) {
    signal.throwIfAborted()
    if (!thread.isAlive()) break
    try {
      const fault = faultOfSample(await thread.render({ kind, site, view }))
      if (fault !== null) faults.add(`has a template ${kind} that ${fault}`)
    } catch (error) {
      faults.add(messageOf(error))
    }
  }
  return [...faults]
}

/** Why a theme cannot be loaded, as the end of "site_theme …"; null when it can, and for no theme. */
export async function themeLoadFault(name: string, packagesFolder: string): Promise<string | null> {
  if (name === '') return null
  try {
    const thread = await startThemeThread(sourceOf(name, packagesFolder))
    thread.end()
    return null
  } catch (error) {
    return `names a theme that ${messageOf(error)}`
  }
}
