import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { nicenessVariable } from './be-child.ts'
import { lowerPriority } from './priority.ts'

/** The address of a module of galley. Compiled, it lies there as JavaScript: the compiler does not rewrite a URL. */
export const moduleAt = (name: string, importMetaUrl: string): URL =>
  new URL(`${name}${extname(importMetaUrl)}`, importMetaUrl)

interface ForkOptions {
  args?: readonly string[]
  /** Of its heap; the memory of libraries and of WebAssembly is not in it. */
  heapMb: number
  /** From 0, the priority of this process, to 19, the lowest; default 0. */
  niceness?: number
  /** Variables beside those that every such process gets. */
  environment?: Readonly<Record<string, string>>
}

/**
 * Starts a module as a process that is sent messages; it begins with `beChild`. It gets nothing of this process's
 * environment, which holds keys. It does not keep this process alive until `setReferenced` says so.
 */
export function forkModule(
  main: URL,
  { args = [], heapMb, niceness = 0, environment = {} }: ForkOptions
): ChildProcess {
  const child = fork(main, args, {
    execArgv: [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'],
    env: { ...ownEnvironment(), ...(niceness > 0 ? { [nicenessVariable]: String(niceness) } : {}), ...environment },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced'
  })
  setReferenced(child, false)
  // At once: to start takes a tenth of a second of a processor, and only then the child lowers its other threads.
  lowerPriority(child.pid, niceness)
  return child
}

function ownEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir()
  const { TMPDIR } = process.env
  return {
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache })
  }
}

/**
 * One heap of the C library for all threads: it gives memory back sooner. A film of an hour with 32 cards takes 217 MB so, and
 * 348 MB without. No heap for large buffers (`MALLOC_MMAP_THRESHOLD_`) saves 30 MB more, and takes twice the time.
 */
export const lowMemoryEnv = {
  MALLOC_ARENA_MAX: '1'
} as const

/** Whether it keeps this process alive. */
export function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  for (const part of [child, child.channel]) {
    if (isReferenced) part?.ref()
    else part?.unref()
  }
}
