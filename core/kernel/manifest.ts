import type { ErrorDefinitions } from '../contract/error-codes.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Needs, Provides } from '../contract/services.ts'
import type { SettingMap } from '../contract/settings.ts'

/** What a manifest declares; nothing where it says nothing. */
export const needsOf = ({ needs }: Plugin): Needs => needs ?? {}
export const providesOf = ({ provides }: Plugin): Provides => provides ?? {}
export const settingsOf = ({ settings }: Plugin): SettingMap => settings ?? {}
export const errorsOf = ({ errors }: Plugin): ErrorDefinitions => errors ?? {}
