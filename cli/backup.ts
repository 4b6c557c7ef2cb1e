import { existsSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '../core/backup/create.ts'
import type { Loaded } from '../core/backup/load.ts'
import { completeRestore, restoreBackup } from '../core/backup/restore.ts'
import { verifyBackup } from '../core/backup/verify.ts'
import { prepareNewFile } from '../core/backup/write-file.ts'
import type { Config } from '../core/config.ts'
import { createSchemaMigrator } from '../core/db/schema.ts'
import { type CommandGroup, command, fieldLines, NotFoundError, type Terminal } from '../core/index.ts'
import type { Kernel } from '../core/kernel.ts'
import { createKeyring, createKeyringInForce } from '../core/keyring.ts'
import { version } from '../core/version.ts'

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
    verify: verifyCommand(kernel, config),
    restore: restoreCommand(kernel, config)
  }
}

const file = { type: 'positional', required: true, describe: 'The backup' } as const

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

const verifyCommand = (kernel: Kernel, config: Config) =>
  command({
    describe: 'Prove a backup: restore it into a scratch database and compare everything',
    args: { file },
    async run({ args, terminal }) {
      const named = fileOf(args.file, terminal)
      const { loaded, faults, scratch } = await withProgress(terminal, 'verifying', onProgress =>
        verifyBackup({ ...loading(kernel, config, terminal), databaseUrl: config.databaseUrl, file: named, onProgress })
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
    args: { file, force: { type: 'boolean', describe: 'Replace an installation that holds something' } },
    confirm: ({ args }) =>
      args.force
        ? { text: `Replace everything in ${config.home} and its database by ${args.file}?`, irreparable: true }
        : null,
    async run({ args, terminal }): Promise<BackupSummary> {
      const named = fileOf(args.file, terminal)
      const loaded = await withProgress(terminal, 'restoring', onProgress =>
        restoreBackup({
          ...loading(kernel, config, terminal),
          ...{ db: kernel.db, file: named, force: args.force, onProgress }
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
      undefined,
      plugins.map(({ plugin }) => plugin)
    )
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
  path.join(home, 'backups', `galley-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)

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
