import { messageOf } from '#core/unknown'
import { type SiteData, siteViewOf } from '../site-view.ts'
import type { PageKind } from '../views.ts'
import { documentFault, sampleFault } from './page-faults.ts'
import { pageKinds, readTheme } from './read-theme.ts'
import { sampleSite, sampleViews } from './samples.ts'

const sampleAssets = { stylesheet: '/blog/site/style.css?v=1', icon: '/blog/site/icon.svg?v=1', script: null }

/**
 * Tries a theme with sample pages: with everything and with nothing, and with texts that are HTML. For the test of a theme:
 * `assert.deepEqual(checkTheme(theme), [])`.
 * @returns what is wrong, a sentence each
 */
export function checkTheme(exported: unknown): string[] {
  try {
    const { theme, loaded } = readTheme(exported)
    const faults = loaded.missing.map(kind => `The template ${kind} is missing.`)
    for (const [kind, site, view] of samples()) {
      const template: unknown = theme[kind]
      if (typeof template === 'function')
        faults.push(...faultsOf(kind, () => Reflect.apply(template, theme, [siteViewOf(site), view])))
    }
    return [...new Set(faults)]
  } catch (error) {
    return [`The theme cannot be used: ${messageOf(error)}`]
  }
}

/** Each kind of page with each of its views. */
export const samples = (): PageSample[] =>
  pageKinds.flatMap(kind => [...sampleViews[kind]].map((view): PageSample => [kind, sampleSite(sampleAssets), view]))

type PageSample = [kind: PageKind, site: SiteData, view: unknown]

function faultsOf(kind: PageKind, make: () => unknown): string[] {
  try {
    const made = make()
    const fault = documentFault(made) ?? sampleFault(String(made), sampleAssets.stylesheet)
    return fault === null ? [] : [`The template ${kind} ${fault}.`]
  } catch (error) {
    return [`The template ${kind} threw: ${messageOf(error)}`]
  }
}

/** The fault of a page that was made elsewhere. */
export function faultOfSample(html: string): string | null {
  return sampleFault(html, sampleAssets.stylesheet)
}
