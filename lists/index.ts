/** `#lists`: lists in pages, over REST and GraphQL. `galley/plugin` exports it to everybody. */
export * from './connection.ts'
export { type CursorValue, encodeCursor, type ListIdentity, listMark } from './cursor.ts'
export * from './pages.ts'
export * from './send.ts'
