import type { Plugin, Setting } from '../contract/plugin.ts'
import { faultOfDefault } from '../settings/values.ts'
import type { BootProblem } from './order.ts'

/** Lower-case words joined by hyphens: `opening-hours`. */
export const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** What is wrong with what plugins say of themselves, whichever others there are. */
export const wrongManifests = (plugins: readonly Plugin[]): BootProblem[] =>
  plugins.flatMap(plugin => [...wrongName(plugin), ...wrongDefaults(plugin), ...wrongAddresses(plugin)])

function wrongName({ name }: Plugin): BootProblem[] {
  if (kebabCase.test(name)) return []
  const remedy = 'Name it in lower-case words joined by hyphens, such as opening-hours.'
  return [{ plugin: name, cause: `its name ${JSON.stringify(name)} is not in kebab case`, remedy }]
}

function wrongDefaults({ name, settings = {} }: Plugin): BootProblem[] {
  return Object.entries(settings as Record<string, Setting>).flatMap(([key, setting]) => {
    const fault = faultOf(setting)
    if (fault === null) return []
    const remedy = 'Give a default that the schema of the setting allows.'
    return [{ plugin: name, cause: `the default of its setting ${key} ${fault}`, remedy }]
  })
}

/** A secret that names an address nobody declares would go anywhere. */
function wrongAddresses({ name, settings = {} }: Plugin): BootProblem[] {
  return Object.entries(settings as Record<string, Setting>).flatMap(([key, { secret, sentTo }]) => {
    if (sentTo === undefined) return []
    const remedy = `Declare the address beside it, such as ${key}_url, or leave sentTo out.`
    if (!Object.hasOwn(settings, sentTo))
      return [{ plugin: name, cause: `its setting ${key} is sent to ${sentTo}, which it does not declare`, remedy }]
    if (secret === true) return []
    return [{ plugin: name, cause: `its setting ${key} has sentTo and is no secret`, remedy: 'Add secret: true.' }]
  })
}

function faultOf(setting: Setting): string | null {
  try {
    const fault = faultOfDefault(setting)
    if (fault === null) return null
    const given = JSON.stringify(setting.default) ?? 'undefined'
    return given.length > 80 ? fault : `${fault}, not ${given}`
  } catch (error) {
    return `cannot be held against its schema (${(error as Error).message})`
  }
}
