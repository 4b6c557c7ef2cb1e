import { parentPort } from 'node:worker_threads'
import { type SmallFile, type SmallFileResult, writeSmallFile } from './small-file.ts'

/** The results of the files of one message, in their order. */
export interface WrittenFiles {
  results: SmallFileResult[]
  /** What they took together. */
  ms: number
}

parentPort?.on('message', (files: readonly SmallFile[]) => {
  const startedAt = performance.now()
  // For these few milliseconds only: somebody may remove one, or put a link in its place.
  const folders = new Set<string>()
  const results = files.map(file => writeSmallFile(file, folders))
  parentPort?.postMessage({ results, ms: performance.now() - startedAt } satisfies WrittenFiles)
})
