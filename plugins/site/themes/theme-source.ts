import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '#core'
import { ThemeError } from './theme-error.ts'
import type { ThemeStart } from './theme-messages.ts'

/** What to import for a theme, and from where: a package beside the plugins, or a folder with a package. */
export type ThemeSource = Pick<ThemeStart, 'specifier' | 'parentUrl'>

/** @throws ThemeError when a path leads to no package */
export function sourceOf(theme: string, packagesFolder: string): ThemeSource {
  if (!theme.startsWith('.') && !path.isAbsolute(theme))
    return { specifier: theme, parentUrl: urlOf(path.join(packagesFolder, 'plugins.config.json')) }
  const target = path.resolve(packagesFolder, theme)
  if (!existsSync(target)) throw missing(`there is no ${target}`)
  return statSync(target).isDirectory()
    ? sourceOfFolder(target)
    : { specifier: urlOf(target), parentUrl: urlOf(target) }
}

const missing = (what: string) => new ThemeError(`cannot be used: ${what}`, { isPassing: false })

/** A package may import itself by its name, which follows its `exports` as others see them. */
function sourceOfFolder(folder: string): ThemeSource {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) throw missing(`${folder} has no package.json`)
  const manifest = parsed(readFileSync(file, 'utf8'))
  const parentUrl = urlOf(file)
  if (manifest.exports !== undefined && typeof manifest.name === 'string')
    return { specifier: manifest.name, parentUrl }
  const main = typeof manifest.main === 'string' ? manifest.main : 'index.js'
  return { specifier: urlOf(path.join(folder, main)), parentUrl }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const urlOf = (file: string): string => pathToFileURL(file).href
