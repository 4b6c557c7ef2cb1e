/**
 * `galley/plugin`: what a plugin is written with, the same for everybody. Galley's own plugins import the two parts by the
 * names `#core` and `#cli`. What is exported stays for as long as `CONTRACT` does; docs/plugins.md describes each export.
 */
export * from '#cli'
export * from '#core'
