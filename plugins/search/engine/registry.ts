import type { Settings } from '#core'
import { createDrivers, type Drivers } from '#requests'
import type { SearchDriver, SearchDrivers } from '../driver.ts'
import type { searchSettings } from '../settings.ts'

/** The index in the database is no driver: it needs none of what feeds them. */
const builtinName = 'builtin'

/** The engines by name, and the one the setting chooses. */
export interface SearchEngines extends SearchDrivers, Omit<Drivers<SearchDriver>, 'register'> {
  /** Posts are searched in the index of the database. */
  isBuiltin(): boolean
}

export function createSearchEngines(settings: Pick<Settings<typeof searchSettings>, 'get'>): SearchEngines {
  const chosenName = () => settings.get('search_driver')
  const { register, ...drivers } = createDrivers<SearchDriver>({
    kind: 'A search driver',
    setting: 'search_driver',
    chosenName
  })
  const isBuiltin = () => chosenName() === builtinName
  return {
    ...drivers,
    isBuiltin,
    addDriver(name, driver) {
      if (name === builtinName) throw new TypeError(`A search driver named ${builtinName} is registered already.`)
      register(name, driver)
    },
    chosenFault: () => (isBuiltin() ? null : drivers.chosenFault()),
    faultOf(name) {
      const fault = name === builtinName ? null : drivers.faultOf(name)
      return fault === null ? null : `${fault} or ${builtinName}`
    }
  }
}
