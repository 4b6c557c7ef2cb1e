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
  const results = files.map(writeSmallFile)
  parentPort?.postMessage({ results, ms: performance.now() - startedAt } satisfies WrittenFiles)
})
