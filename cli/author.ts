/**
 * `galley/plugin`: what a plugin is written with, the same for everybody. Galley's own plugins import its parts by the
 * names `#core`, `#cli`, `#child-process`, `#files`, `#lists`, `#requests`, `#time`, `#text/excerpts`, `#text/html-entities` and `#text/plural`.
 * What is exported stays for as long as `CONTRACT` does; docs/plugins.md describes each export.
 */
export * from '#child-process'
export * from '#cli'
export * from '#core'
export * from '#files'
export * from '#lists'
export * from '#requests'
export * from '#text/excerpts'
export * from '#text/html-entities'
export * from '#text/plural'
export * from '#time'
