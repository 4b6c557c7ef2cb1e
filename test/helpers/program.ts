import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceAlias } from '../../cli/aliases.ts'
import { sanitizeOutput } from '../../cli/framework/sanitize.ts'
import { runLine } from '../../cli/main.ts'
import { packageRoot } from '../../core/paths.ts'
import { recordSession } from './session.ts'

const ownBin = path.join(packageRoot, 'cli', 'bin.js')
/**
 * A program of a test ends before an optimized embedded database is of use to it, and has V8 do without: as on a small machine. A
 * service takes a quarter less of a processor until it is ready.
 */
const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

export interface Finished {
  /** Exit code; null after a signal. */
  status: number | null
  stdout: string
  stderr: string
}

/** A process of the program that is still running. */
export interface Running {
  readonly child: ChildProcess
  /** What it has printed so far. */
  readonly printed: { stdout: string; stderr: string }
  readonly ended: Promise<Finished>
  /** Waits for text on stderr; answers its match. @throws Error when the process ends without it. */
  says(pattern: RegExp): Promise<RegExpMatchArray>
}

export interface RunOptions {
  env?: Record<string, string>
  cwd?: string
  /** A descriptor that its output goes to; default: it is kept. */
  stdout?: number
  /** A command of the shell that reads its output from a pipe, and prints what is kept. */
  through?: string
  /** Another release's; default: of the sources at hand. */
  bin?: string
}

/** The program on a home of its own, as an operator runs it; nothing of this process's environment reaches it. */
export interface Installation {
  readonly home: string
  run(argv: readonly string[], options?: RunOptions & { stdin?: string }): Promise<Finished>
  /**
   * The same in this process, in a third of the time: where nothing is proven of a process, such as its signals, its log
   * or its stdin. What becomes a service, `serve` and `worker` that are not refused, needs a process of its own.
   */
  runHere(argv: readonly string[], options?: Pick<RunOptions, 'env' | 'cwd'>): Promise<Finished>
  start(argv: readonly string[], options?: RunOptions): Running
  /** Ends what still runs and removes the home. */
  close(): Promise<void>
}

export function createInstallation(extra: Record<string, string> = {}): Installation {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-program-'))
  const home = path.join(folder, 'home')
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    GALLEY_HOME: home,
    PORT: '0',
    LOG_LEVEL: 'error',
    ...extra
  }
  const children = new Set<Running>()
  const launch = (argv: readonly string[], options: RunOptions & { stdin?: string }) => {
    const own = [process.execPath, ...flags, options.bin ?? ownBin, ...argv] as const
    const [program, ...line] =
      options.through === undefined ? own : (['sh', '-c', `"$0" "$@" | { ${options.through}; }`, ...own] as const)
    const running = follow(
      spawn(program, line, {
        cwd: options.cwd ?? folder,
        env: { ...base, ...options.env },
        stdio: [options.stdin === undefined ? 'ignore' : 'pipe', options.stdout ?? 'pipe', 'pipe']
      })
    )
    running.child.stdin?.end(options.stdin)
    children.add(running)
    running.ended.finally(() => children.delete(running))
    return running
  }
  return {
    home,
    run: (argv, options = {}) => launch(argv, options).ended,
    runHere: (argv, { env, cwd = folder } = {}) => runHere(argv, cwd, { ...base, ...env }),
    start: (argv, options = {}) => launch(argv, options),
    async close() {
      const running = [...children]
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function runHere(given: readonly string[], cwd: string, env: Record<string, string>): Promise<Finished> {
  // As of a process whose output is read through pipes.
  const session = recordSession({ cwd, columns: 10_000 })
  const { argv, notice } = replaceAlias('galley', given)
  if (notice !== null) session.terminal.note(notice)
  const status = await runLine(argv, session, env)
  const linesOf = (texts: readonly string[]) => texts.map(text => `${text}\n`).join('')
  const out = session.out.map(text => sanitizeOutput(text, session.terminal))
  return { status, stdout: linesOf(out), stderr: linesOf(session.err) }
}

function follow(child: ChildProcess): Running {
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', text => (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', text => (printed.stderr += text))
  const ended = once(child, 'close').then(([status]): Finished => ({ status, ...printed }))
  const says = async (pattern: RegExp) => {
    for (;;) {
      const found = printed.stderr.match(pattern)
      if (found !== null) return found
      const hasEnded = await Promise.race([
        ended.then(() => true),
        once(child.stderr as never, 'data').then(() => false)
      ])
      if (hasEnded && !pattern.test(printed.stderr)) throw new Error(`it ended without ${pattern}:\n${printed.stderr}`)
    }
  }
  return { child, printed, ended, says }
}
