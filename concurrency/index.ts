/** `#concurrency`: work that runs at once, with an end that its caller knows, and what it is done on in batches. */
export { allEnded } from './all-ended.ts'
export { batched } from './batched.ts'
export { forEachAsync } from './for-each-async.ts'
