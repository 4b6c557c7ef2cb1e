import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Terminal } from '../core/contract/command.ts'
import { messageOf } from '../core/unknown.ts'
import { version } from '../core/version.ts'
import { replaceAlias } from './aliases.ts'
import { describeAll, describeWithoutBroken, readBuiltCatalogue } from './catalogue.ts'
import { applyPluginStartLimit } from './config/plugin-start-limit.ts'
import { pluginsConfigPath } from './config/plugins-config.ts'
import { beforeDashes, firstWord, isJsonFlag, wantsJson } from './framework/arguments.ts'
import type { Catalogue } from './framework/catalogue.ts'
import { resolveLine } from './framework/resolve.ts'
import type { CliSession } from './framework/run.ts'
import { openSession } from './framework/terminal.ts'
import { UsageError } from './framework/usage-error.ts'
import { backupsWithoutDatabase } from './kernel-program.ts'
import { localProgram } from './local-program.ts'
import { brokenPluginsWarning } from './plugins/broken-plugins-warning.ts'
import { explainRefusal } from './plugins/explain-refusal.ts'
import { limitYoungHeap } from './young-heap.ts'

const name = 'galley'
const longRunning = ['serve', 'worker', 'demo']
/** A short command ends before that is worth what it costs. */
const youngHeapLimitedAfterMs = 500

/** Runs the command line of this process, and ends it with the exit status. */
export async function main(given: readonly string[]): Promise<void> {
  const { env } = process
  const { argv, notice } = replaceAlias(name, given)
  const isLongRunning = longRunning.includes(firstWord(argv))
  // A service does so when it has started.
  if (!isLongRunning) setTimeout(limitYoungHeap, youngHeapLimitedAfterMs).unref()
  const session = openSession({ interruptible: !isLongRunning, env })
  if (notice !== null) session.terminal.note(notice)
  const status = await runLine(argv, session, env)
  await session.flush()
  // Writing the last line may fail, for instance on a full disk. The stream reports that in the next turn.
  await nextTurn()
  process.exit(status)
}

const isBackupList = (argv: readonly string[]): boolean => {
  const [group, command] = argv.filter(word => !isJsonFlag(word))
  return group === 'backup' && command === 'list'
}

/** Where the database cannot be opened, lists its backups all the same, after a warning with the reason. */
async function listBackups(
  argv: readonly string[],
  session: CliSession,
  { env, fault }: { env: NodeJS.ProcessEnv; fault: unknown }
): Promise<number> {
  const [{ runProgram }, { findHome }] = await Promise.all([import('./framework/run.ts'), import('./config/home.ts')])
  if (!existsSync(findHome(env))) throw fault
  session.terminal.note(`warning: ${messageOf(fault)}`)
  return await runProgram({ name, version, program: backupsWithoutDatabase(findHome(env)) }, argv, session)
}

/** Runs a command line. Returns the exit status. */
export async function runLine(argv: readonly string[], session: CliSession, env: NodeJS.ProcessEnv): Promise<number> {
  try {
    await applyPluginStartLimit(env)
    const state = await readLine(argv, session, env)
    if (state === 'answered') return 0
    const program = localProgram(env)
    if (Object.hasOwn(program, firstWord(argv))) {
      const { runProgram } = await import('./framework/run.ts')
      return await runProgram({ name, version, program }, argv, session)
    }
    const { runWithDatabase } = await import('./service/run-with-database.ts')
    const check = async () => {
      if (state !== 'unknown') return
      const catalogue = await describeAll({ env, cwd: session.terminal.cwd, local: program }, [firstWord(argv)])
      await resolveLine(catalogue, argv, { name, version, hasColour: false })
    }
    return await runWithDatabase({ name, version, check }, argv, session, env).catch(error => {
      if (!isBackupList(argv) || error instanceof UsageError || session.terminal.signal.aborted) throw error
      return listBackups(argv, session, { env, fault: error })
    })
  } catch (error) {
    const { interruptedStatus, reportError } = await import('./framework/run.ts')
    if (session.terminal.signal.aborted) return interruptedStatus
    const configPath = pluginsConfigPath(env.GALLEY_PLUGINS, session.terminal.cwd)
    return reportError(await explainRefusal(error, argv, configPath), { session, json: wantsJson(argv) })
  }
}

/**
 * Help, the version and most mistakes need no plugin, database or server, and must not wait for one: what they do not
 * need is imported only behind this. `unknown`: only the plugins in use can tell whether the line is right.
 */
async function readLine(
  argv: readonly string[],
  session: CliSession,
  env: NodeJS.ProcessEnv
): Promise<'answered' | 'right' | 'unknown'> {
  const { cwd, hasColour } = session.terminal
  const flags = beforeDashes(argv)
  const built = readBuiltCatalogue(pluginsConfigPath(env.GALLEY_PLUGINS, cwd))
  const isText = firstWord(argv) === '' || ['--help', '-h', '--version', '-v'].some(flag => flags.includes(flag))
  // A running server may have plugins that this folder's configuration does not name.
  if (!isText && (built === null || !Object.hasOwn(built, firstWord(argv)))) return 'unknown'
  const isVersion = flags.includes('--version') || flags[0] === '-v'
  const catalogue = built ?? (isVersion ? {} : await describe(firstWord(argv), env, session.terminal))
  const request = await resolveLine(catalogue, argv, { name, version, hasColour }).catch(error => {
    if (error instanceof UsageError && error.isPartial) return null
    throw error
  })
  if (request === null) return 'unknown'
  if (request.kind !== 'text') return 'right'
  session.print(request.text)
  return 'answered'
}

/** What needs no plugin is described without them; what does, without those that do not start. */
async function describe(word: string, env: NodeJS.ProcessEnv, { cwd, note }: Terminal): Promise<Catalogue> {
  const program = localProgram(env)
  if (Object.hasOwn(program, word)) {
    const { describeProgram } = await import('./framework/catalogue.ts')
    return describeProgram(program, [word])
  }
  const { catalogue, problems } = await describeWithoutBroken({ env, cwd, local: program }, [word])
  if (problems.length > 0) note(brokenPluginsWarning(problems))
  return catalogue
}
