import { type Log, messageOf, type Settings } from '#core'
import type { siteSettings } from '../settings.ts'
import { linksOf, type SiteData, siteViewOf } from '../site-view.ts'
import type { TextsByLanguage } from '../texts/texts.ts'
import { defaultTheme } from '../theme/theme.ts'
import type { PageKind, PageViews, SiteView, Template, Templates } from '../views.ts'
import { ThemeError } from './theme-error.ts'
import { assetsOf, ownFiles, type ThemeFiles } from './theme-files.ts'
import { sourceOf } from './theme-source.ts'
import { startThemeThread, type ThemeThread } from './theme-thread.ts'

/** A theme whose thread was ended, or did not start, gets no page for so long: each try may take seconds of a reader's time. */
const pauseMs = 30_000

/** What pages link and say because of the theme. `version` changes with its templates, too. */
export interface ThemeLook {
  version: string
  files: ThemeFiles
  texts: TextsByLanguage
}

/** `isComplete` false: galley's own theme stood in for a moment, so the page is not to be stored. */
export interface RenderedPage {
  html: string
  isComplete: boolean
}

interface ThemeFault {
  /** Null: of the whole theme. */
  page: PageKind | null
  /** A sentence. */
  fault: string
  at: Date
}

/** The pages in the theme that the setting `site_theme` names, and in galley's own where that fails. */
export interface Themes {
  /** Of the theme that is set; it is loaded when it is asked for the first time. Never rejects. */
  look(): Promise<ThemeLook>
  /** The same as far as it is known now. */
  cachedLook(): ThemeLook
  render<Kind extends PageKind>(kind: Kind, site: SiteData, view: PageViews[Kind]): Promise<RenderedPage>
  /** What went wrong since the theme was set, the last fault of each kind of page. */
  faults(): readonly ThemeFault[]
}

interface ThemeDeps {
  settings: Settings<typeof siteSettings>
  packagesFolder: string
  log: Log
  now(): Date
}

/** A version of galley's own theme is one of galley. */
const ownLook: ThemeLook = { version: '', files: ownFiles, texts: {} }

/** `broken`: cannot be loaded. `unavailable`: did not start this time, and is tried again after the pause. */
type Loaded = ThemeThread | 'broken' | 'unavailable'

/** The theme that is set, once it was asked for. */
interface Chosen {
  name: string
  thread: Promise<Loaded>
  look: ThemeLook
  faults: Map<PageKind | null, ThemeFault>
  pausedUntil: number
}

export function createThemes(deps: ThemeDeps): Themes {
  const { settings, now } = deps
  let chosen: Chosen | undefined
  const current = (): Chosen | null => {
    const name = settings.get('site_theme')
    if (chosen?.name === name) return chosen
    void chosen?.thread.then(endThread)
    chosen = name === '' ? undefined : choose(deps, name)
    return chosen ?? null
  }
  return {
    async look() {
      const theme = current()
      await theme?.thread
      return theme?.look ?? ownLook
    },
    cachedLook: () => current()?.look ?? ownLook,
    async render(kind, site, view) {
      const theme = current()
      if (theme === null) return renderOwn(kind, site, view, true)
      if (theme.pausedUntil > now().getTime()) return renderOwn(kind, site, view, false)
      const thread = await runningThread(deps, theme)
      if (thread === 'unavailable') return renderOwn(kind, site, view, false)
      if (thread === 'broken' || thread.theme.missing.includes(kind)) return renderOwn(kind, site, view, true)
      try {
        return { html: await thread.render({ kind, site, view }), isComplete: true }
      } catch (error) {
        if (!(error instanceof ThemeError)) throw error
        // What one page led to for others says nothing of them, and is not to hide why.
        if (!error.isOfOthers || (thread.isAlive() && !theme.faults.has(kind))) report(deps, theme, kind, error)
        if (!thread.isAlive()) pause(deps, theme)
        return renderOwn(kind, site, view, !error.isPassing)
      }
    },
    faults: () => [...(current()?.faults.values() ?? [])]
  }
}

function endThread(thread: Loaded): void {
  if (typeof thread === 'object') thread.end()
}

function choose(deps: ThemeDeps, name: string): Chosen {
  const thread: Promise<Loaded> = Promise.resolve('broken')
  const chosen: Chosen = { name, thread, look: ownLook, faults: new Map(), pausedUntil: 0 }
  chosen.thread = load(deps, chosen)
  return chosen
}

async function load(deps: ThemeDeps, theme: Chosen): Promise<Loaded> {
  try {
    const thread = await startThemeThread(sourceOf(theme.name, deps.packagesFolder))
    theme.look = thread.theme
    theme.faults.delete(null)
    for (const page of thread.theme.missing)
      report(deps, theme, page, new ThemeError(`has no template ${page}`, { isPassing: false }))
    return thread
  } catch (error) {
    report(deps, theme, null, error)
    if (!(error instanceof ThemeError) || !error.isPassing) return 'broken'
    pause(deps, theme)
    return 'unavailable'
  }
}

function pause({ now }: ThemeDeps, theme: Chosen): void {
  theme.pausedUntil = now().getTime() + pauseMs
}

/** One that was ended, or did not start, is started again: its pause is over. Pages that wait for it share one start. */
async function runningThread(deps: ThemeDeps, theme: Chosen): Promise<Loaded> {
  const before = theme.thread
  const thread = await before
  if (thread === 'broken' || (thread !== 'unavailable' && thread.isAlive())) return thread
  if (theme.thread === before) theme.thread = load(deps, theme)
  return theme.thread
}

function report({ log, now }: ThemeDeps, theme: Chosen, page: PageKind | null, error: unknown): void {
  const reason = error instanceof ThemeError ? error.message : `cannot be loaded: ${messageOf(error)}`
  const fault = `The theme ${theme.name} ${reason}.`
  if (theme.faults.get(page)?.fault !== fault)
    log.warn({ theme: theme.name, page, fault }, 'the default theme stands in')
  theme.faults.set(page, { page, fault, at: now() })
}

const templates: Templates = defaultTheme

/** The same data make many pages of an export. */
const ownViews = new WeakMap<SiteData, SiteView>()

function ownViewOf(site: SiteData): SiteView {
  const view = ownViews.get(site) ?? siteViewOf({ ...site, assets: assetsOf(ownFiles, linksOf(site).path) })
  ownViews.set(site, view)
  return view
}

/** In galley's own theme, with its own files. */
function renderOwn<Kind extends PageKind>(
  kind: Kind,
  site: SiteData,
  view: PageViews[Kind],
  isComplete: boolean
): RenderedPage {
  const template: Template<PageViews[Kind]> = templates[kind]
  return { html: template(ownViewOf(site), view).toString(), isComplete }
}
