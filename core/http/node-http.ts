/**
 * Node's HTTP without an `import`, which copies every export of a module of Node's: those that are loaded on demand are loaded
 * then, too, and the client behind `fetch` and `WebSocket` takes 70 ms of CPU time that a start does not need.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
