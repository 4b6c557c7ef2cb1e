import { realpathSync, writeSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { codeFolders, codeRoot, findManifest } from '../paths.ts'
import { messageOf } from '../unknown.ts'

/** Plugins of others by the file they were loaded from, without links. */
const plugins = new Map<string, string>()

/** From now on a fault that ends the process, and whose stack points into this plugin, is reported under its name. */
export function nameFaultsOf(plugin: string, file: string): void {
  if (plugins.size === 0) process.on('uncaughtExceptionMonitor', endNaming)
  // Stacks name files behind links.
  plugins.set(realpathSync(file), plugin)
}

/** The plugin that the stack of an error leads to; undefined where none is known. */
export const pluginOf = (error: unknown): string | undefined => filesOf(error).map(pluginAt).find(Boolean)

/** What to say of a fault that nobody handled; undefined where it is not known to be a plugin's. */
export function faultOfPlugin(error: unknown): string | undefined {
  const plugin = pluginOf(error)
  if (plugin === undefined) return undefined
  const message = messageOf(error)
  return `the plugin ${plugin} threw outside any request: ${message}; remove or disable it with \`galley plugins disable ${plugin}\``
}

/** Does nothing where a listener handles the fault. Node.js would print the stack after this message, and exit. */
function endNaming(error: unknown): void {
  const message = process.listenerCount('uncaughtException') > 0 ? undefined : faultOfPlugin(error)
  if (message === undefined) return
  try {
    writeSync(2, `${inspect(error)}\nerror: ${message}\n`)
  } finally {
    process.exit(1)
  }
}

/** Files on the stack of an error, innermost first. */
function filesOf(error: unknown): string[] {
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : ''
  const frames = String(stack).matchAll(/^ +at (?:async )?(?:.*? \((.+):\d+:\d+\)|(.+):\d+:\d+)$/gm)
  return [...frames].flatMap(([, inBrackets, unbracketed = '']) => {
    const file = inBrackets ?? unbracketed
    if (!file.startsWith('file:')) return path.isAbsolute(file) ? [file] : []
    // A stack is whatever the code that threw has put there.
    return URL.canParse(file) && new URL(file).host === '' ? [fileURLToPath(file)] : []
  })
}

/** The plugin a file belongs to: the one that it is, else the one that is nearest. Of two as near, neither. */
function pluginAt(file: string): string | undefined {
  const [folder] = path.relative(codeRoot, file).split(path.sep)
  if (codeFolders.some(own => own === folder)) return undefined
  const distances = [...plugins].map(([main, plugin]) => ({ plugin, distance: distanceTo(main, file) }))
  const [first, second] = distances.sort((a, b) => a.distance - b.distance)
  if (first === undefined || first.distance === Number.POSITIVE_INFINITY) return undefined
  return first.distance === second?.distance ? undefined : first.plugin
}

/** 0 for a plugin's own file, else how far a file is below its folder or its package; packages within are others. */
function distanceTo(main: string, file: string): number {
  if (main === file) return 0
  const manifest = findManifest(main)
  const within = [path.dirname(main), ...(manifest === undefined ? [] : [path.dirname(manifest)])]
    .map(folder => path.relative(folder, file).split(path.sep))
    .filter(([first, ...rest]) => first !== '..' && ![first, ...rest].includes('node_modules'))
  return Math.min(...within.map(steps => steps.length))
}
