import type { BootProblem } from '../contract/boot-error.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Setting } from '../contract/settings.ts'
import { isObject } from '../unknown.ts'
import { type KnownFields, unknownFieldProblems } from './known-fields.ts'
import { needsOf, providesOf, settingsOf } from './manifest.ts'

const isToken = (token: unknown): boolean => isObject(token) && typeof token.id === 'string'

const manifestFields: KnownFields<Plugin> = {
  name: true,
  contract: true,
  describe: true,
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
  describe: true,
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
  const unknown = unknownFieldProblems(plugin.name, { what, kind: 'a manifest', declared: plugin }, manifestFields)
  const misspelt = Object.entries(settingsOf(plugin)).flatMap(([key, declared]) =>
    unknownFieldProblems(plugin.name, { what: `its setting ${key}`, kind: 'a setting', declared }, settingFields)
  )
  const isDescribed = typeof plugin.describe === 'string'
  return [
    ...(isDescribed ? [] : [wrong('it has no description', 'Say in a line what it is: { describe: "…" }.')]),
    ...notTokens('needs', needsOf(plugin)),
    ...notTokens('provides', providesOf(plugin)),
    ...notSettings,
    ...unknown,
    ...misspelt
  ]
}
