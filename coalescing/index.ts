/** `#coalescing`: what many callers ask for at once is read, or written, once. Part of `galley/toolkit`. */
export { type Batcher, createBatcher } from './batcher.ts'
export { createLoader } from './loader.ts'
export { createSharedRuns, type SharedRuns } from './shared-runs.ts'
