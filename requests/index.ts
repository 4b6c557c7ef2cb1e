export { readResponseBody, readResponseStart } from './body.ts'
export { createDrivers, type Drivers } from './drivers.ts'
export { jsonHeaders, urlUnder } from './endpoint.ts'
export { type RequestFailure, requestFailure } from './failure.ts'
