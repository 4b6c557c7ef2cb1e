/**
 * Node's HTTP without an `import`. An `import` reads every export of a built-in module, and so loads those that are loaded on
 * demand: the client behind `fetch` and `WebSocket` takes 70 ms of CPU time that a start does not need.
 */
export const { createServer, STATUS_CODES, validateHeaderValue } = process.getBuiltinModule('node:http')
