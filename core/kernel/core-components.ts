import path from 'node:path'
import { createChanges } from '../changes.ts'
import type { Config } from '../config.ts'
import type { Changes } from '../contract/changes.ts'
import type { Db } from '../contract/database.ts'
import { coreErrors, type ErrorDefinitions } from '../contract/error-codes.ts'
import type { NamedGraphqlModule } from '../contract/graphql.ts'
import type { Installation } from '../contract/installation.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Settings } from '../contract/settings.ts'
import { faultOfOrigins } from '../http/settings.ts'
import { createJobs, type Jobs } from '../jobs/jobs.ts'
import { createKeyring, type KeyRotationDeps } from '../keyring.ts'
import type { Log } from '../log.ts'
import { createSettings, type SettingsRegistry } from '../settings/store.ts'
import type { DeclaredSetting } from '../settings/types.ts'
import { createSigningKeys } from '../signing-secret.ts'
import { version } from '../version.ts'
import { corePlugin, kernelSettings } from './core-plugin.ts'
import { errorsOf, settingsOf } from './manifest.ts'

/** What the kernel brings, before any plugin is set up. */
export interface CoreComponents {
  readonly changes: Changes & { start(): Promise<void>; stop(): Promise<void> }
  readonly jobs: Jobs
  readonly settings: SettingsRegistry
  readonly keys: KeyRotationDeps
  readonly installation: Installation
  /** The kernel's own settings, as they are now. */
  readonly kernelSettings: Settings<typeof kernelSettings>
  /** Filled once every plugin is set up. */
  readonly graphqlModules: NamedGraphqlModule[]
  /** What the kernel offers to plugins, written with the public contract. */
  readonly plugin: Plugin
  /** Every error code there is. Complete once the manifests are registered. */
  readonly errors: ErrorDefinitions
  /** Makes the plugins' settings and error codes known. */
  registerManifests(plugins: readonly Plugin[]): void
  setListenAddress(url: string): void
}

export function createCoreComponents({ config, db, log }: { config: Config; db: Db; log: Log }): CoreComponents {
  const changes = createChanges({ db, log })
  const declared = new Map<string, DeclaredSetting>()
  const keyring = createKeyring(config)
  const settings = createSettings({ db, secrets: keyring, changes, declared, log })
  settings.check('cors_origins', faultOfOrigins)
  const signing = createSigningKeys({ config, db, changes })
  const own = settings.reader(kernelSettings)
  const graphqlModules: NamedGraphqlModule[] = []
  const errors: ErrorDefinitions = { ...coreErrors }
  let address = addressOf(config)
  return {
    changes,
    jobs: createJobs({ db, log }),
    settings,
    keys: { config, db, keyring, changes, log },
    kernelSettings: own,
    graphqlModules,
    plugin: corePlugin({ store: settings, signing, graphqlModules }),
    installation: {
      home: config.home,
      version,
      packagesFolder: path.dirname(config.pluginsConfigPath),
      baseUrl: () => own.get('public_url') || address,
      // A server that listens everywhere is reached at the loopback address, too.
      localUrl: () => address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'),
      isLoopback: () => isLoopback(config.host),
      signingKey: signing.keyFor
    },
    errors,
    registerManifests(plugins) {
      for (const plugin of plugins) {
        Object.assign(errors, errorsOf(plugin))
        for (const [key, setting] of Object.entries(settingsOf(plugin)))
          declared.set(key, { plugin: plugin.name, setting })
      }
    },
    setListenAddress(url) {
      address = url
    }
  }
}

/** An IPv6 address stands in brackets in a URL. */
const addressOf = ({ host, port }: Config): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host)
