import { type Check, degraded, type Installation, ok, type Settings, type SettingsStore, skipped } from '#core'
import { faultOfMenu, type siteSettings } from './settings.ts'
import type { Themes } from './themes/themes.ts'
import { themeLoadFault, tryTheme } from './themes/try-theme.ts'

interface ThemeCheckDeps {
  settings: Settings<typeof siteSettings>
  themes: Themes
  installation: Pick<Installation, 'packagesFolder'>
}

/** Tries the theme with sample pages, and says what failed for readers since the start. */
export const themeCheck = ({ settings, themes, installation }: ThemeCheckDeps): Check => ({
  name: 'site theme',
  async run({ signal }) {
    const name = settings.get('site_theme')
    if (name === '') return skipped("the site has galley's own theme")
    const tried = await tryTheme(name, installation.packagesFolder, signal)
    const faults = [...new Set([...tried, ...themes.faults().map(({ fault }) => fault)])]
    if (faults.length === 0) return ok(`${name} makes every kind of page`)
    return degraded(
      faults.join(' '),
      "Repair the theme, or set site_theme to another or to nothing. Galley's own stands in for these pages."
    )
  }
})

/** Refuses a theme that cannot be loaded at all, and a menu with links that lead nowhere. */
export function checkSiteSettings({
  needs,
  installation
}: {
  needs: { store: SettingsStore }
  installation: Pick<Installation, 'packagesFolder'>
}): void {
  const loadFault = (name: string) => themeLoadFault(name, installation.packagesFolder)
  needs.store.check('site_theme', () => null, loadFault)
  needs.store.check('site_navigation', faultOfMenu)
}
