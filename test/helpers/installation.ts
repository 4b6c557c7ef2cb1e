import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { loadConfig } from '../../cli/config/config.ts'
import { openDatabase } from '../../cli/database/open.ts'
import { createPglite } from '../../cli/database/pglite/pglite.ts'
import { reportError, runProgram } from '../../cli/framework/run.ts'
import { kernelProgram } from '../../cli/kernel-program.ts'
import { commandLog, wireKernel } from '../../cli/open-kernel.ts'
import { commitBootstrap, prepareBootstrap } from '../../cli/setup/bootstrap-file.ts'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/contract/database.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { openOnServer, readSnapshot, testServerUrl } from './database.ts'
import type { CommandResult } from './run-command.ts'
import { type RecordedSession, recordSession } from './session.ts'

/** An installation with a home and a database of its own: on the server of TEST_DATABASE_URL, else embedded. */
export interface TestInstallation {
  readonly home: string
  readonly env: Record<string, string>
  config(env?: Record<string, string>): Config
  /** Its database, opened on first use. */
  db(): Promise<Db>
  /** A process of its own: wired from `bootstrap.env` as it is now, and not opened. */
  wire(env?: Record<string, string>): Promise<Kernel>
  /** Runs a command line as a process of its own would. */
  run(argv: readonly string[], options?: RunOptions): Promise<CommandResult>
  /** The variables of `bootstrap.env`. */
  bootstrap(): Record<string, string | undefined>
  /** Lets go of the database, so that another process may have it. */
  release(): Promise<void>
  close(): Promise<void>
}

export interface RunOptions {
  env?: Record<string, string>
  /** What the person at the terminal answers; without it there is no terminal. */
  answer?: string
  stdin?: string
  /** Of the terminal; default: 80. */
  columns?: number
}

export async function createInstallation(
  options: { migrated?: boolean; env?: Record<string, string> } = {}
): Promise<TestInstallation> {
  const { migrated = true } = options
  const home = mkdtempSync(path.join(tmpdir(), 'galley-installation-'))
  const env: Record<string, string> = { GALLEY_HOME: home, LOG_LEVEL: 'silent', ...options.env }
  const server = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated })
  const open = () => openDatabase({ home, ...(server === undefined ? {} : { url: server.url }) })
  const snapshot = server === undefined ? await readSnapshot(migrated) : undefined
  let opened: Promise<Db> | undefined
  if (snapshot !== undefined) opened = createPglite({ dataDir: path.join(home, 'data'), snapshot })
  prepareBootstrap(home, {
    DATABASE_URL: server?.url,
    POINDEXTER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    GALLEY_JWT_SECRET: 'j'.repeat(43)
  })
  commitBootstrap(home)
  const db = () => (opened ??= open())
  const config = (others = {}) => loadConfig({ ...env, ...others }, home)
  const wire = async (others = {}) => wireKernel(config(others), await db(), commandLog(env))
  const release = async () => {
    const closing = opened
    opened = undefined
    await (await closing)?.close()
  }
  const run: TestInstallation['run'] = async (argv, { env: others = {}, answer, stdin = '', columns = 80 } = {}) => {
    const asked = answer === undefined ? {} : { isInteractive: true, answers: [answer] }
    const session = recordSession({ cwd: home, stdin, columns, ...asked })
    const status = await runLine(argv, session, () => wire(others), config(others))
    return { status, out: session.out.join('\n'), err: session.err.join('\n') }
  }
  return {
    home,
    env,
    config,
    db,
    wire,
    run,
    bootstrap: () => parseEnv(readFileSync(path.join(home, 'bootstrap.env'), 'utf8')),
    release,
    async close() {
      await release()
      await server?.db.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

async function runLine(
  argv: readonly string[],
  session: RecordedSession,
  wire: () => Promise<Kernel>,
  config: Config
): Promise<number> {
  try {
    const kernel = await wire()
    if (argv[0] !== 'migrate' && argv[0] !== 'backup') await kernel.open()
    return await runProgram({ name: 'galley', version: '0.0.0', program: kernelProgram(kernel, config) }, argv, session)
  } catch (error) {
    return reportError(error, { session, json: false })
  }
}
