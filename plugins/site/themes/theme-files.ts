import { createHash } from 'node:crypto'
import { createBoundedMap } from '#core'
import { defaultTheme } from '../theme/theme.ts'
import type { SiteView, Theme } from '../views.ts'

/** The files that the pages of a theme link. */
export interface ThemeFiles {
  stylesheet: string
  icon: string
  script: string | null
}

function filesOf({ stylesheet, icon, script }: Theme): ThemeFiles {
  return { stylesheet, icon, script: script ?? null }
}

/** Those of galley's own theme: they are always there, for the pages that it stands in for. */
export const ownFiles = filesOf(defaultTheme)

/** Where each of them lies on the site. */
export const themeFiles = [
  { name: 'stylesheet', place: '/site/style.css', type: 'text/css; charset=utf-8' },
  { name: 'icon', place: '/site/icon.svg', type: 'image/svg+xml' },
  { name: 'script', place: '/site/script.js', type: 'text/javascript; charset=utf-8' }
] as const
const [style, tabIcon, module] = themeFiles

/** Links to the files. They name the content, so that browsers may keep it for a year. */
export function assetsOf({ stylesheet, icon, script }: ThemeFiles, path: SiteView['path']): SiteView['assets'] {
  const link = (place: string, content: string) => path(`${place}?v=${versionOf(content)}`)
  return {
    stylesheet: link(style.place, stylesheet),
    icon: link(tabIcon.place, icon),
    script: script === null ? null : link(module.place, script)
  }
}

const maxVersions = 20
const versions = createBoundedMap<string, string>({ maxEntries: () => maxVersions })

export const versionOf = (content: string): string =>
  versions.getOrCompute(content, () => createHash('sha256').update(content).digest('hex').slice(0, 12))
