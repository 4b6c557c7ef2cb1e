import { BootError } from '../../core/contract/boot-error.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import { loadEntries } from '../../core/kernel/load.ts'

/** The plugin of an entry as a configuration in `folder` names it; undefined when it cannot be loaded. */
export async function findPlugin(entry: string, folder: string): Promise<Plugin | undefined> {
  try {
    return (await loadEntries([entry], folder))[0]
  } catch (error) {
    if (error instanceof BootError) return undefined
    throw error
  }
}
