// A thread of its own, so that a theme that loops or fills its memory holds up nobody.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '#core/unknown'
import { siteViewOf } from '../site-view.ts'
import type { Theme } from '../views.ts'
import { unpackHtml } from './html-transfer.ts'
import { documentFault } from './page-faults.ts'
import { readTheme } from './read-theme.ts'
import type { ThemeMessage, ThemePage, ThemeStart } from './theme-messages.ts'

const start: ThemeStart = workerData
const themeName = 'galley:theme'
/** The part of the plugin's index that themes are written with; the rest would load the whole core. */
const api = new URL(`../theme-api${path.extname(import.meta.url)}`, import.meta.url).href

/** Hashes of the modules that the theme consists of. */
const moduleHashes: string[] = []
const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) moduleHashes.push(hashOf(readFileSync(fileURLToPath(url))))
    return next(url, context)
  },
  resolve(specifier, context, next) {
    if (specifier === themeName) return next(start.specifier, { ...context, parentURL: start.parentUrl })
    // A copy of its own would make HTML that is not known here.
    return next(specifier === 'galley/plugins/site' ? api : specifier, context)
  }
})

// Nobody reads what a theme prints. Reading it would keep the service's process from ending.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true

const send = (message: ThemeMessage) => parentPort?.postMessage(message)

try {
  const { default: exported }: { default?: unknown } = await import(themeName)
  const { theme, loaded } = readTheme(exported)
  parentPort?.on('message', (request: ThemePage) => send(renderPage(theme, request)))
  // Sorted: modules are loaded in any order.
  send({ kind: 'loaded', theme: { ...loaded, version: hashOf(moduleHashes.sort().join()) } })
} catch (error) {
  send({ kind: 'fault', fault: `cannot be used: ${messageOf(error)}` })
}

function renderPage(theme: Partial<Theme>, { kind, site, view }: ThemePage): ThemeMessage {
  try {
    const template: unknown = theme[kind]
    if (typeof template !== 'function') return fault(kind, 'is missing')
    const made: unknown = Reflect.apply(template, theme, [siteViewOf(site), unpackHtml(view, start.mark)])
    const wrong = documentFault(made)
    return wrong === null ? { kind: 'page', html: String(made) } : fault(kind, wrong)
  } catch (error) {
    return fault(kind, `threw: ${messageOf(error).slice(0, 300)}`)
  }
}

const fault = (page: string, what: string): ThemeMessage => ({
  kind: 'fault',
  fault: `has a template ${page} that ${what}`
})
