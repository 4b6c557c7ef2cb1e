/** `#lists`: lists in pages, over REST and GraphQL, and ids by their beginnings. Part of `galley/toolkit`. */
export * from './connection.ts'
export { encodeCursor, type ListIdentity, listFingerprint } from './cursor.ts'
export { metadataFault } from './metadata.ts'
export * from './pages.ts'
export * from './prefix-id.ts'
export * from './send.ts'
