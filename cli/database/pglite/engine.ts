import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

/** What Node.js has of the WebAssembly of browsers, as far as it is needed here. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> }

/** PostgreSQL as a WebAssembly module. It can be handed to a thread. */
export interface EngineModule extends Readonly<object> {}

let engine: Promise<EngineModule> | undefined

/**
 * V8 optimizes a function once it has run through so many bytes of its code. With its usual budget every command would: 0.5 CPU
 * seconds and 600 MB on threads that the start itself needs. With 150 times the budget only what stays busy is optimized.
 */
const tieringBudget = 2_000_000_000

/**
 * What evaluates expressions, the only function that may be optimized at all. The parser of SQL is as large, and past any budget
 * after 12 kB of SQL: optimized, it took 0.4 CPU seconds and 450 MB of each start, and made nothing faster.
 */
export const expressionInterpreter = 5861

let areFlagsSet = false

/** Sets how V8 compiles the database, for modules compiled later. The first call holds. The launcher sets the same flags. */
export function setEngineFlags(): void {
  if (areFlagsSet) return
  setFlagsFromString(`--wasm-tier-up-filter=${expressionInterpreter}`)
  setCommonFlags(tieringBudget)
}

/** The same for a process that will run tens of thousands of statements, and may take memory: all is optimized, and sooner. */
export function setFlagsOfBusyEngine(): void {
  setCommonFlags(100_000_000)
}

function setCommonFlags(budget: number): void {
  areFlagsSet = true
  setFlagsFromString(`--wasm-tiering-budget=${budget}`)
  // To check all functions at once takes longer than a command's few: each is when it first runs.
  setFlagsFromString('--wasm-lazy-validation')
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
