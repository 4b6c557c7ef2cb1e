import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { pluralized } from '#text/plural'
import { updateBootstrap } from '../../core/bootstrap-update.ts'
import type { Config } from '../../core/config.ts'
import { type CommandGroup, command, type Terminal } from '../../core/contract/command.ts'
import type { Db } from '../../core/contract/database.ts'
import { ConflictError, type FieldErrors, InputError } from '../../core/contract/errors.ts'
import { readBootstrap } from '../../core/home.ts'
import { loadPlugins } from '../../core/kernel/load.ts'
import { version } from '../../core/version.ts'
import type { Loaded } from '../backup/load-target.ts'
import { leftOutNotes, loadedRows } from '../backup/summary.ts'
import { loadConfig } from '../config/config.ts'
import { dataFolder } from '../config/home.ts'
import { databaseFault, encodeQuotes, isServerUrl, schemeOf, serverUrlForm } from '../config/server-url.ts'
import { readMoveMark, removeMoveMark, writeMoveMark } from '../config/unfinished-move.ts'
import { requireDatabase } from '../database/data-folder.ts'
import type { HomeLock } from '../database/home-lock.ts'
import { openDatabase } from '../database/open.ts'
import { createPostgres } from '../database/postgres/postgres.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { countSessions } from '../database/repository.ts'
import { tryServer } from '../database/try-server.ts'
import { fieldLines } from '../framework/table.ts'
import { createCurrentKeyring } from '../keys/current-key.ts'
import { createSchemaMigrator } from '../migrations/migrator.ts'
import { commandLog } from '../open-kernel.ts'
import { lockWithoutServer } from '../owner/claim-home.ts'
import { openEmbedded, openServer, type Target } from './target.ts'
import { moveContents } from './transfer.ts'

interface MoveResult {
  home: string
  from: string
  to: string
  /** What was copied and compared, by table. */
  tables: Record<string, number>
  rows: number
  /** Secrets that the key decrypts in the new place. */
  secrets: number
  /** Tables of the operator's own, which stay behind. */
  left_out: string[]
}

/** What `--to` says for the database in the home. */
const embedded = 'embedded'

/** `galley move`: the content to another database, and the home's `bootstrap.env` behind it. */
export function moveCommand(env: NodeJS.ProcessEnv): CommandGroup[string] {
  return command({
    describe: 'Move the content to another database: it is copied, compared, and used from then on',
    returns: '{home, from, to, tables, rows, secrets, left_out}',
    exitStatuses: { 1: 'refused or failed; the present database stays in use' },
    args: {
      to: {
        type: 'string',
        required: true,
        placeholder: 'URL',
        isSecret: true,
        suggestions: [embedded],
        describe: 'An empty PostgreSQL database, or "embedded" for the database in the home'
      }
    },
    validate: ({ to }): FieldErrors => (to === undefined || isTarget(to) ? {} : { to: targetFault(to) }),
    run: ({ args, terminal }): Promise<MoveResult> => move(env, args.to, terminal),
    text: ({ tables: _, left_out, ...result }, terminal) =>
      `${[fieldLines(result, terminal), '', ...leftOutNotes(left_out)].join('\n')}\nThe service uses ${result.to} from its next start on. ${result.from} is as it was: remove it once you no longer want it. Media files stay where they are.`
  })
}

const isTarget = (to: string): boolean =>
  to === embedded || (isServerUrl(to) && URL.canParse(to) && databaseFault(to) === undefined)

const targetFault = (to: string): string =>
  (isServerUrl(to) ? databaseFault(to) : undefined) ?? `must be "${embedded}", or ${serverUrlForm}, not ${schemeOf(to)}`

async function move(env: NodeJS.ProcessEnv, to: string, terminal: Terminal): Promise<MoveResult> {
  if (!isTarget(to)) throw new InputError({ to: targetFault(to) })
  const config = loadConfig(env, terminal.cwd)
  const url = to === embedded ? undefined : encodeQuotes(to)
  refuseInvalidMove(env, config, url)
  const isOnServers = config.databaseUrl !== undefined && url !== undefined
  const lock = isOnServers ? undefined : await lockForMove(config.home, terminal)
  try {
    if (config.databaseUrl === undefined) requireDatabase(config.home)
    if (url === undefined) refuseDataFolder(config.home)
    else await tryServer(url, config.home)
    return await moveLocked({ config, url, terminal, log: commandLog(env) })
  } finally {
    lock?.release()
  }
}

function refuseInvalidMove(env: NodeJS.ProcessEnv, { home, databaseUrl }: Config, url: string | undefined): void {
  if (env.DATABASE_URL)
    throw new ConflictError(
      'DATABASE_URL is set in the environment and wins over bootstrap.env, which the move changes: move it there, and unset it first.'
    )
  if (readBootstrap(home) === null) throw new ConflictError(`There is no bootstrap.env in ${home}: run galley setup.`)
  if (url === encodeQuotes(databaseUrl))
    throw new ConflictError(`${databaseName(url)} is in use already: name another.`)
}

/** Held to the end where the embedded database has a part: no server opens it meanwhile, and no other move. */
const lockForMove = (home: string, { signal }: Terminal): Promise<HomeLock> =>
  lockWithoutServer(
    { home, version, signal },
    pid => `A server runs on ${home} (process ${pid}): stop it, move, and start it again. Nothing was changed.`
  )

/** Of an earlier time, perhaps; it may hold what somebody still wants. */
function refuseDataFolder(home: string): void {
  const data = dataFolder(home)
  if (existsSync(data) && readdirSync(data).length > 0)
    throw new ConflictError(
      `${data} holds a database that is not in use: rename or remove that folder first. Nothing was changed.`
    )
}

interface Locked {
  config: Config
  /** The target; undefined for the embedded database. */
  url: string | undefined
  terminal: Terminal
  log: ReturnType<typeof commandLog>
}

async function moveLocked(locked: Locked): Promise<MoveResult> {
  const { config, url, terminal, log } = locked
  const { home } = config
  // The home's lock outlives both databases.
  const source = await openSource(config, log)
  try {
    await refuseServed(config)
    const target = url === undefined ? await openEmbedded(home) : openServer(url)
    const progress = terminal.progress('moving')
    try {
      const result = await copy({ ...locked, source, target }, done => progress.update(done))
      return result
    } finally {
      progress.end()
      await target.discard()
    }
  } finally {
    await source.close()
  }
}

const openSource = async ({ home, databaseUrl }: Config, log: Locked['log']): Promise<Db> =>
  databaseUrl === undefined
    ? await openDatabase({ home, log })
    : createPostgres({ url: databaseUrl, max: 2, applicationName: 'galley move', statementTimeoutMs: 0, log })

/** A service that goes on writing to the old database would lose what it writes. */
async function refuseServed({ databaseUrl }: Config): Promise<void> {
  if (databaseUrl === undefined) return
  const db = createPostgres({ url: databaseUrl, max: 1, applicationName: 'galley move' })
  const count = await countSessions(db).finally(() => db.close())
  if (count > 0)
    throw new ConflictError(
      `The service is connected to ${databaseName(databaseUrl)} (${pluralized(count, 'session')}): stop its servers and workers, move, and start them again. Nothing was changed.`
    )
}

async function copy(
  { config, url, terminal, log, source, target }: Locked & { source: Db; target: Target },
  onProgress: (done: number) => void
): Promise<MoveResult> {
  const { home, databaseUrl } = config
  const plugins = await loadPlugins(config.pluginsConfigPath)
  const id = randomUUID()
  const unfinishedId = readMoveMark(home)
  const keyring = createCurrentKeyring(config)
  const names = { from: databaseName(databaseUrl), to: databaseName(url) }
  const switchDatabase = async () => {
    await refuseServed(config)
    await target.makeCurrent()
    updateBootstrap(home, { DATABASE_URL: url ?? null })
  }
  const loaded = await moveContents({
    db: source,
    target: target.db,
    targetName: names.to,
    id,
    unfinishedId,
    home,
    version,
    log,
    keyring,
    signal: terminal.signal,
    now: () => new Date(),
    onProgress,
    onLoaded: () => writeMoveMark(home, id),
    onVerified: switchDatabase,
    migratorOn: db => createSchemaMigrator(db, plugins)
  })
  removeMoveMark(home)
  return { home, ...names, ...rowsOf(loaded), secrets: loaded.secrets, left_out: loaded.left_out }
}

/** How many rows were moved, of each table and in all. */
function rowsOf(loaded: Loaded): Pick<MoveResult, 'tables' | 'rows'> {
  const tables = loadedRows(loaded)
  return { tables, rows: Object.values(tables).reduce((sum, count) => sum + count, 0) }
}
