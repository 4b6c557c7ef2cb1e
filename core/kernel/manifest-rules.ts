import path from 'node:path'
import { type BootProblem, duplicatesIn } from '../contract/boot-error.ts'
import { coreErrors, type ErrorDefinition } from '../contract/error-codes.ts'
import { CONTRACT, type Plugin } from '../contract/plugin.ts'
import type { Setting } from '../contract/settings.ts'
import { ownNamespace } from '../db/migrations/files.ts'
import { settingKey, settingKeyForm } from '../settings/new-value.ts'
import { faultOfDefault } from '../settings/values.ts'
import { isObject, messageOf } from '../unknown.ts'
import { aText } from './known-fields.ts'
import { errorsOf, providesOf, settingsOf } from './manifest.ts'
import { formProblems } from './manifest-form.ts'
import { loadedFrom, thirdPartiesLast } from './origin.ts'

/** Lower-case words joined by hyphens: `opening-hours`. */
export const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/**
 * What is wrong with plugins whichever needs are met: what each says of itself, and what two of them bring. With a malformed
 * one, others' needs cannot be judged.
 */
export function checkManifests(plugins: readonly Plugin[]): { problems: BootProblem[]; hasMalformed: boolean } {
  const checked = thirdPartiesLast(plugins, plugin => plugin).map(plugin => ({ plugin, faults: formProblems(plugin) }))
  const wellFormed = checked.flatMap(({ plugin, faults }) => (faults.length === 0 ? [plugin] : []))
  const problems = [
    ...checked.flatMap(({ plugin }) => contractProblems(plugin)),
    ...checked.flatMap(({ faults }) => faults),
    ...contentProblems(wellFormed)
  ]
  return { problems, hasMalformed: wellFormed.length < plugins.length }
}

const contentProblems = (plugins: readonly Plugin[]): BootProblem[] => [
  ...plugins.flatMap(nameProblems),
  ...plugins.flatMap(keyProblems),
  ...plugins.flatMap(plugin => [...defaultProblems(plugin), ...addressProblems(plugin)]),
  ...plugins.flatMap(errorCodeProblems),
  ...plugins.flatMap(migrationProblems),
  ...duplicates(plugins)
]

function contractProblems({ name, contract }: Plugin): BootProblem[] {
  if (contract === CONTRACT) return []
  const cause = `it was written for contract ${contract}, this kernel has contract ${CONTRACT}`
  return [{ plugin: name, cause, remedy: 'Install the release of the plugin that fits.' }]
}

function nameProblems({ name }: Plugin): BootProblem[] {
  if (kebabCase.test(name)) return []
  const remedy = 'Name it in lower-case words joined by hyphens, such as opening-hours.'
  return [{ plugin: name, cause: `its name ${JSON.stringify(name)} is not in kebab case`, remedy }]
}

/** Under another key no value could be stored. */
const keyProblems = (plugin: Plugin): BootProblem[] =>
  Object.keys(settingsOf(plugin))
    .filter(key => !settingKey.test(key))
    .map(key => ({
      plugin: plugin.name,
      cause: `the key of its setting ${JSON.stringify(key)} is none that can be set`,
      remedy: `A key ${settingKeyForm}.`
    }))

function defaultProblems(plugin: Plugin): BootProblem[] {
  return Object.entries(settingsOf(plugin)).flatMap(([key, setting]) => {
    const fault = faultOf(setting)
    if (fault === null) return []
    const remedy = 'Give a default that the schema of the setting allows.'
    return [{ plugin: plugin.name, cause: `the default of its setting ${key} ${fault}`, remedy }]
  })
}

function faultOf(setting: Setting): string | null {
  try {
    const fault = faultOfDefault(setting)
    if (fault === null) return null
    const given = JSON.stringify(setting.default) ?? 'undefined'
    return given.length > 80 ? fault : `${fault}, not ${given}`
  } catch (error) {
    return `cannot be checked against its schema (${messageOf(error)})`
  }
}

/** A secret that names an address nobody declares would go anywhere. */
function addressProblems(plugin: Plugin): BootProblem[] {
  return Object.entries(settingsOf(plugin)).flatMap(([key, { isSecret, sentTo }]) => {
    if (sentTo === undefined) return []
    const wrong = (cause: string, remedy: string) => [{ plugin: plugin.name, cause, remedy }]
    if (!Object.hasOwn(settingsOf(plugin), sentTo))
      return wrong(
        `its setting ${key} is sent to ${sentTo}, which it does not declare`,
        `Declare the address beside it, such as ${key}_url, or leave sentTo out.`
      )
    return isSecret === true ? [] : wrong(`its setting ${key} has sentTo and is no secret`, 'Add isSecret: true.')
  })
}

function errorCodeProblems(plugin: Plugin): BootProblem[] {
  const remedy = 'Write { TOO_MANY_REACTIONS: { status: 409, describe: "When it is answered, and what to do." } }.'
  return Object.entries(errorsOf(plugin)).flatMap(([code, definition]) => {
    const isNamed = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)
    if (isNamed && isErrorDefinition(definition)) return []
    const fault = isNamed ? 'needs a status from 400 to 599 and a description' : 'is not in SCREAMING_SNAKE_CASE'
    return [{ plugin: plugin.name, cause: `its error code ${code} ${fault}`, remedy }]
  })
}

const isErrorDefinition = (definition: ErrorDefinition | undefined): boolean =>
  isObject(definition) &&
  Number.isInteger(definition.status) &&
  definition.status >= 400 &&
  definition.status < 600 &&
  aText.fits(definition.describe)

function migrationProblems({ name, migrations }: Plugin): BootProblem[] {
  if (migrations === undefined) return []
  const wrong = (cause: string, remedy: string) => [{ plugin: name, cause, remedy }]
  if (name === ownNamespace)
    return wrong(`it has migrations under the service's own name ${ownNamespace}`, 'Name the plugin otherwise.')
  if (isFolder(migrations)) return []
  return wrong(
    `its migrations are at ${JSON.stringify(String(migrations))}, which is no absolute path`,
    "Give new URL('./migrations/', import.meta.url)."
  )
}

const isFolder = (folder: URL | string): boolean =>
  folder instanceof URL ? folder.protocol === 'file:' : typeof folder === 'string' && path.isAbsolute(folder)

function duplicates(plugins: readonly Plugin[]): BootProblem[] {
  // What a second one of the same name brings twice is no fault of its own.
  const firsts = plugins.filter(({ name }, index) => plugins.findIndex(other => other.name === name) === index)
  return [
    ...duplicateNames(plugins),
    ...duplicatesIn('service', firsts, plugin => ({
      plugin: plugin.name,
      keys: Object.values(providesOf(plugin)).map(({ id }) => id)
    })),
    ...duplicatesIn(
      'error code',
      firsts,
      plugin => ({ plugin: plugin.name, keys: Object.keys(errorsOf(plugin)) }),
      Object.keys(coreErrors)
    ),
    ...duplicatesIn('setting', firsts, plugin => ({ plugin: plugin.name, keys: Object.keys(settingsOf(plugin)) }))
  ]
}

/** By their entries: the name is the same. */
function duplicateNames(plugins: readonly Plugin[]): BootProblem[] {
  const entryOf = (plugin: Plugin): string => loadedFrom(plugin)?.entry ?? plugin.name
  const remedy = 'Remove one of the two from plugins.config.json, or rename it.'
  return duplicatesIn('name', plugins, plugin => ({ plugin: entryOf(plugin), keys: [plugin.name] })).map(problem => ({
    ...problem,
    remedy
  }))
}
