/** The installation a plugin runs in. */
export interface Installation {
  /** `GALLEY_HOME`: a private folder for files that are not in the database. */
  readonly home: string
  readonly version: string
  /** The folder of `plugins.config.json`: packages that the operator installs are found from there. */
  readonly packagesFolder: string
  /** Address readers reach the service at, without a trailing slash: the setting `public_url`, else where the server listens. */
  baseUrl(): string
  /** Where programs on this machine reach the server, without a trailing slash, whatever `public_url` says. */
  localUrl(): string
  /** True while only this machine can reach the service. */
  isLoopback(): boolean
  /** A 32-byte key for signing with one purpose, derived from the installation's secret. */
  signingKey(purpose: string): Uint8Array
}
