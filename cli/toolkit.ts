/**
 * `galley/toolkit`: helpers for plugins, the same that galley's own have under the names `#core`, `#cli`, `#child-process`,
 * `#coalescing`, `#files`, `#lists`, `#requests`, `#time` and `#text/…`. What is exported stays for as long as `CONTRACT` does.
 */
export * from '#child-process'
export * from '#cli'
export * from '#coalescing'
export * from '#files'
export * from '#lists'
export * from '#requests'
export * from '#text/excerpts'
export * from '#text/html-entities'
export * from '#text/plural'
export * from '#time'
export * from '../core/toolkit.ts'
