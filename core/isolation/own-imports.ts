import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeExtension, codeRoot } from '../paths.ts'

const prefix = 'galley/'
const modules: Readonly<Record<string, string>> = {
  plugin: 'core/contract/index',
  toolkit: 'cli/toolkit',
  testing: 'testing/index'
}

let isShared = false

/**
 * From now on whatever imports `galley/plugin` or another of our modules gets the code that runs now, wherever it is
 * installed or linked: a second copy would have error classes of its own, and no `instanceof` here would know them.
 */
export function shareOwnModules(): void {
  if (isShared) return
  isShared = true
  registerHooks({
    resolve(specifier, context, next) {
      const file = specifier.startsWith(prefix) ? ownModule(specifier.slice(prefix.length)) : undefined
      return file === undefined ? next(specifier, context) : next(pathToFileURL(file).href, context)
    }
  })
}

/** The file behind an entry of the package's `exports`; undefined for what is none. */
function ownModule(name: string): string | undefined {
  const plugin = /^plugins\/([a-z0-9-]+)$/.exec(name)?.[1]
  const relative = plugin === undefined ? modules[name] : `plugins/${plugin}/index`
  if (relative === undefined) return undefined
  const file = path.join(codeRoot, `${relative}${codeExtension}`)
  return existsSync(file) ? file : undefined
}
