import type { BootProblem } from '../contract/boot-error.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Setting } from '../contract/settings.ts'
import { isObject } from '../unknown.ts'
import { aText, fieldProblems, type KnownFields } from './known-fields.ts'
import { needsOf, providesOf, settingsOf } from './manifest.ts'

const isToken = (token: unknown): boolean => isObject(token) && typeof token.id === 'string'

const describe = { ...aText, isRequired: true } as const
const manifestFields: KnownFields<Plugin> = {
  name: true,
  contract: true,
  describe,
  needs: true,
  provides: true,
  settings: true,
  errors: true,
  migrations: true,
  setup: true
}

const settingFields: KnownFields<Setting> = {
  schema: true,
  default: true,
  describe,
  isSecret: true,
  sentTo: true,
  isMachine: true,
  category: true
}

/** What is wrong with the form of a manifest: a plugin in JavaScript declares anything. Nothing else of it can be judged. */
export function formProblems(plugin: Plugin): BootProblem[] {
  const wrong = (cause: string, remedy: string) => ({ plugin: plugin.name, cause, remedy })
  const notTokens = (part: string, tokens: object) =>
    Object.entries(tokens)
      .filter(([, token]) => !isToken(token))
      .map(([name]) => wrong(`${name} of its ${part} is no service`, 'Give what service() returns: check the import.'))
  const notSettings = Object.entries(settingsOf(plugin))
    .filter(([, declared]) => !isObject(declared))
    .map(([key]) =>
      wrong(`its setting ${key} is not declared`, 'Declare it with setting(schema, { default, describe }).')
    )
  const what = 'its manifest'
  const ofManifest = fieldProblems(plugin.name, { what, kind: 'a manifest', declared: plugin }, manifestFields)
  const ofSettings = Object.entries(settingsOf(plugin)).flatMap(([key, declared]) =>
    fieldProblems(plugin.name, { what: `its setting ${key}`, kind: 'a setting', declared }, settingFields)
  )
  return [
    ...notTokens('needs', needsOf(plugin)),
    ...notTokens('provides', providesOf(plugin)),
    ...notSettings,
    ...ofManifest,
    ...ofSettings
  ]
}
