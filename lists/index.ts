/** `#lists`: lists in pages, over REST and GraphQL, and rows read for many callers at once. Part of `galley/toolkit`. */
export * from './connection.ts'
export { encodeCursor, type ListIdentity, listFingerprint } from './cursor.ts'
export { createLoader } from './loader.ts'
export { metadataFault } from './metadata.ts'
export * from './pages.ts'
export * from './send.ts'
export { createSharedRuns, type SharedRuns } from './shared-runs.ts'
