import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** What Node.js has of the WebAssembly of browsers, as far as it is needed here. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> }

/** PostgreSQL as a WebAssembly module. It can be handed to a thread. */
export interface EngineModule extends Readonly<object> {}

let engine: Promise<EngineModule> | undefined

/**
 * V8 optimizes a function once it has run through so many bytes of its code. Three functions of the database are so large that
 * with the usual budget every command optimizes them: 0.5 CPU seconds and 600 MB on threads that the start itself needs.
 * With a thousand times the budget only those that stay busy are optimized.
 */
const tieringBudget = 2_000_000_000

/** One of the three still takes 600 MB and seconds: a machine with less than this does without. */
const minBytesToOptimize = 2 * 1024 ** 3

let areFlagsSet = false

/**
 * Sets how V8 compiles the database, for modules compiled later. The first call holds: a process that will run thousands of
 * statements, and may take memory, is done sooner with a smaller budget. The launcher sets the same flags.
 */
export function setEngineFlags(budget = tieringBudget): void {
  if (areFlagsSet) return
  areFlagsSet = true
  setFlagsFromString(`--wasm-tiering-budget=${budget}`)
  // To check all functions at once takes longer than a command's few: each is when it first runs.
  setFlagsFromString('--wasm-lazy-validation')
  if (Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >= minBytesToOptimize) return
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

/** Compiled once for a process: what the first database has run need not be compiled for those after it. */
export function compiledEngine(): Promise<EngineModule> {
  engine ??= compile()
  return engine
}

async function compile(): Promise<EngineModule> {
  setEngineFlags()
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}
