import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import type { Tx } from '../../core/db/db.ts'
import { schemaSources } from '../../core/db/migrations/schema.ts'
import {
  AppError,
  type Args,
  type CommandGroup,
  ConflictError,
  command,
  NotFoundError,
  type Terminal
} from '../../core/index.ts'
import type { Kernel } from '../../core/kernel/lifecycle.ts'
import { createKeyring, createKeyringInForce } from '../../core/keyring.ts'
import { version } from '../../core/version.ts'
import { fieldLines, table } from '../framework/index.ts'
import { createSchemaMigrator } from '../migrations/migrator.ts'
import { runInChild } from './child.ts'
import type { FileLimits } from './child-protocol.ts'
import { createBackup } from './create.ts'
import { backupFolder } from './list.ts'
import type { Loaded } from './load-target.ts'
import { completeRestore, restoreBackup } from './restore.ts'
import { prepareNewFile } from './write-file.ts'

/** What a backup holds, as all three commands tell it. */
export interface BackupSummary {
  file: string
  /** When the backup was made. */
  created_at: string
  galley: string
  /** The key its secrets need, by its name. */
  key_id: string
  tables: Record<string, number>
  rows: number
  files: number
}

/** `galley backup`: the whole installation, but for its keys, in one file. */
export function backupCommands(kernel: Kernel, config: Config): CommandGroup {
  return {
    create: createCommand(kernel, config),
    list: listCommand(config),
    verify: verifyCommand(kernel, config),
    restore: restoreCommand(kernel, config)
  }
}

const file = { type: 'positional', required: true, describe: 'The backup' } as const

/** Bounds of a file that may come from anywhere; what galley itself writes is rarely past them. */
const limits = {
  'max-row-mb': {
    type: 'integer',
    default: 16,
    minimum: 1,
    maximum: 1024,
    describe: 'Longest row that is taken, in MB'
  },
  'max-unpacked-gb': {
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    describe: 'What the file may unpack to, in GB; default: 200 times its size, at least 1'
  }
} as const

const limitsOf = (args: Args<typeof limits>): FileLimits => ({
  mostRowBytes: args['max-row-mb'] * 1024 ** 2,
  mostBytes: args['max-unpacked-gb'] === undefined ? undefined : args['max-unpacked-gb'] * 1024 ** 3
})

const createCommand = ({ db }: Kernel, config: Config) =>
  command({
    describe: 'Write the database and the media files into one file',
    args: {
      file: {
        type: 'string',
        placeholder: 'FILE',
        describe: 'Where to; default: a file named by date in the folder backups of the home'
      }
    },
    async run({ args, terminal }): Promise<BackupSummary> {
      const target = args.file === undefined ? defaultFile(config.home, new Date()) : newFileOf(args.file, terminal)
      await completeRestore(db, config.home)
      const place = await prepareNewFile(target)
      try {
        const { header, manifest } = await withProgress(terminal, 'backing up', onProgress =>
          createBackup(
            {
              db,
              home: config.home,
              keyring: createKeyring(config),
              version,
              now: () => new Date(),
              signal: terminal.signal,
              withFiles: true,
              onProgress
            },
            place.write
          )
        )
        await place.commit()
        return summaryOf(target, { header, manifest })
      } finally {
        await place.discard()
      }
    },
    text: (summary, terminal) =>
      `${showSummary(summary, terminal)}\n\nThe keys are not in it: keep a copy of bootstrap.env elsewhere, restoring needs it.`,
    returns: 'Backup'
  })

/** Reads nothing but the folder: it is asked for most where the database is lost. */
export const listCommand = ({ home }: Pick<Config, 'home'>) =>
  command({
    describe: 'Show the backups in the folder backups of the home, the one written last first',
    returns: 'list of ListedBackup',
    args: {
      limit: { type: 'integer', describe: 'Backups to show', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Backups to skip', default: 0, minimum: 0 }
    },
    async run({ args: { limit, offset }, terminal }) {
      const task = { kind: 'list', folder: backupFolder(home), limit, offset } as const
      return { ...(await runInChild<'list'>(task, terminal)), limit, offset }
    },
    text: ({ items, total }, terminal) => {
      const rows = items.map(({ file, created_at, size, galley, posts, files, problem }) => [
        path.basename(file),
        created_at,
        `${(size / 1e6).toFixed(1)} MB`,
        galley,
        posts === null ? null : String(posts),
        files === null ? null : String(files),
        problem
      ])
      const shown = table(['FILE', 'MADE AT', 'SIZE', 'GALLEY', 'POSTS', 'FILES', 'PROBLEM'], rows, terminal)
      return `${shown}\n${items.length} of ${total} in ${backupFolder(home)}`
    }
  })

const verifyCommand = (kernel: Kernel, config: Config) =>
  command({
    describe: 'Prove a backup: restore it into a scratch database and compare everything',
    args: { file, ...limits },
    async run({ args, terminal }) {
      const named = fileOf(args.file, terminal)
      const { home, databaseUrl } = config
      const task = {
        kind: 'verify',
        file: named,
        home,
        databaseUrl,
        ...limitsOf(args),
        ...proofOf(kernel, config)
      } as const
      const { loaded, faults, scratch } = await withProgress(terminal, 'verifying', onProgress =>
        runInChild<'verify'>(task, { signal: terminal.signal, onProgress })
      )
      const summary = loaded === null ? { file: named } : { ...summaryOf(named, loaded), secrets: loaded.secrets }
      return { ok: faults.length === 0, problems: faults, scratch, ...summary }
    },
    text: ({ ok, problems, scratch: _, ...summary }, terminal) =>
      [
        ...(ok ? [showSummary(summary, terminal), ''] : problems),
        ok ? 'The backup is whole.' : 'The backup is not good.'
      ].join('\n'),
    exit: ({ ok }) => (ok ? 0 : 1),
    returns: 'Verification',
    exits: { 1: 'the backup is not whole, or its secrets need another key' }
  })

const restoreCommand = (kernel: Kernel, config: Config) =>
  command({
    describe: 'Put a backup in the place of this installation’s database and media files',
    args: { file, ...limits, force: { type: 'boolean', describe: 'Replace an installation that holds something' } },
    confirm: ({ args }) =>
      args.force
        ? { text: `Replace everything in ${config.home} and its database by ${args.file}?`, irreparable: true }
        : null,
    async run({ args, terminal }): Promise<BackupSummary> {
      const named = fileOf(args.file, terminal)
      const loaded = await withProgress(terminal, 'restoring', onProgress =>
        restoreBackup({
          ...loading(kernel, config, terminal),
          ...{ db: kernel.db, file: named, force: args.force, onProgress },
          deriveAnew: tx => deriveAnew(kernel, tx, terminal.signal),
          ...{ limits: limitsOf(args), proof: proofOf(kernel, config) }
        })
      )
      // A plugin may have a queue here that the backup does not know.
      await kernel.jobs.install()
      return summaryOf(named, loaded)
    },
    text: (summary, terminal) => `${showSummary(summary, terminal)}\n\nThe installation is as it was then.`,
    returns: 'Backup'
  })

const loading = ({ log, plugins }: Kernel, config: Config, { signal }: Terminal) => ({
  ...{ log, home: config.home, keyring: () => createKeyringInForce(config), signal },
  migratorOn: (db: Kernel['db']) =>
    createSchemaMigrator(
      db,
      plugins.map(({ plugin }) => plugin)
    )
})

/** Each plugin after those it needs. @throws with the name of the one that fails. */
async function deriveAnew({ plugins }: Kernel, tx: Tx, signal: AbortSignal): Promise<void> {
  for (const { plugin, contribution } of plugins) {
    try {
      await contribution.onRestore?.(tx, signal)
    } catch (cause) {
      if (cause instanceof AppError || signal.aborted) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new ConflictError(
        `Nothing was restored. The plugin ${plugin.name} cannot take the backup: ${reason}`,
        'CONFLICT',
        {
          cause
        }
      )
    }
  }
}

/** What a process apart needs to load a backup: no plugin runs there, only their migrations. */
const proofOf = ({ plugins }: Kernel, { home, secretKey, jwtSecret, fromEnvironment }: Config) => ({
  keys: { home, secretKey, jwtSecret, ...(fromEnvironment === undefined ? {} : { fromEnvironment }) },
  sources: schemaSources(plugins.map(({ plugin }) => plugin))
})

const fileOf = (named: string, { cwd }: Terminal): string => path.resolve(cwd, named)

/** @throws NotFoundError when its folder is not there: a mistyped path must not make one. */
function newFileOf(named: string, terminal: Terminal): string {
  const file = fileOf(named, terminal)
  const folder = path.dirname(file)
  if (!existsSync(folder)) throw new NotFoundError(`There is no folder ${folder}: make it, or name another file.`)
  return file
}

const defaultFile = (home: string, now: Date): string =>
  path.join(backupFolder(home), `galley-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)

async function withProgress<T>(
  terminal: Terminal,
  label: string,
  work: (onProgress: (done: number) => void) => Promise<T>
): Promise<T> {
  const progress = terminal.progress(label)
  try {
    return await work(done => progress.update(done))
  } finally {
    progress.end()
  }
}

function summaryOf(named: string, { header, manifest }: Pick<Loaded, 'header' | 'manifest'>): BackupSummary {
  const tables = Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]))
  return {
    file: named,
    created_at: header.created_at,
    galley: header.galley,
    key_id: header.key_id,
    tables,
    rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
    files: manifest.files.count
  }
}

function showSummary(summary: object, terminal: Terminal): string {
  const { tables: _, ...fields } = summary as Record<string, unknown>
  return fieldLines(fields, terminal)
}
