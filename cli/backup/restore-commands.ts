import type { Config } from '../../core/config.ts'
import type { Tx } from '../../core/contract/database.ts'
import { schemaSources } from '../../core/db/migrations/schema.ts'
import { AppError, type Args, ConflictError, command, type Terminal } from '../../core/index.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { messageOf } from '../../core/unknown.ts'
import { createCurrentKeyring } from '../keys/current-key.ts'
import { createSchemaMigrator } from '../migrations/migrator.ts'
import { runInChild } from './child.ts'
import type { FileLimits } from './child-protocol.ts'
import { type Restored, restoreBackup } from './restore.ts'
import { type BackupSummary, backupSummary, fileOf, leftOutNotes, showSummary, withProgress } from './summary.ts'

const file = { type: 'positional', required: true, completes: 'file', describe: 'The backup' } as const

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
  maxRowBytes: args['max-row-mb'] * 1024 ** 2,
  maxBytes: args['max-unpacked-gb'] === undefined ? undefined : args['max-unpacked-gb'] * 1024 ** 3
})

/** `galley backup verify`. */
export const verifyCommand = (kernel: Kernel, config: Config) =>
  command({
    describe: 'Verify a backup: restore it into a scratch database and compare everything',
    args: { file, ...limits },
    async run({ args, terminal }) {
      const named = fileOf(args.file, terminal)
      const { home, databaseUrl } = config
      const request = {
        kind: 'verify',
        file: named,
        home,
        databaseUrl,
        ...limitsOf(args),
        ...verificationOf(kernel, config)
      } as const
      const { loaded, faults, scratch } = await withProgress(terminal, 'verifying', onProgress =>
        runInChild<'verify'>(request, { signal: terminal.signal, onProgress })
      )
      const summary = loaded === null ? { file: named } : { ...backupSummary(named, loaded), secrets: loaded.secrets }
      return { ok: faults.length === 0, problems: faults, scratch, left_out: loaded?.left_out ?? [], ...summary }
    },
    text: ({ ok, problems, scratch: _, left_out, ...summary }, terminal) =>
      [
        ...(ok ? [showSummary(summary, terminal), '', ...leftOutNotes(left_out)] : problems),
        ok ? 'The backup is whole.' : 'The backup is not good.'
      ].join('\n'),
    exitStatus: ({ ok }) => (ok ? 0 : 1),
    returns: 'Verification',
    exitStatuses: { 1: 'the backup is not whole, or its secrets need another key' }
  })

/** `galley backup restore`. */
export const restoreCommand = (kernel: Kernel, config: Config) =>
  command({
    describe: 'Put a backup in the place of this installation’s database and media files',
    args: { file, ...limits, force: { type: 'boolean', describe: 'Replace an installation that holds something' } },
    confirm: ({ args }) =>
      args.force
        ? {
            text: `Replace everything in ${config.home} and in the schema public of its database, what is your own too, by ${args.file}?`,
            isIrreversible: true
          }
        : null,
    async run({ args, terminal }): Promise<BackupSummary & Pick<Restored, 'left_out' | 'removed'>> {
      const named = fileOf(args.file, terminal)
      const loaded = await withProgress(terminal, 'restoring', onProgress =>
        restoreBackup({
          ...loading(kernel, config, terminal),
          db: kernel.db,
          file: named,
          force: args.force,
          onProgress,
          rebuildDerived: tx => rebuildDerived(kernel, tx, terminal.signal),
          limits: limitsOf(args),
          verification: verificationOf(kernel, config)
        })
      )
      // A plugin may have a queue here that the backup does not know.
      await kernel.jobs.install()
      return { ...backupSummary(named, loaded), left_out: loaded.left_out, removed: loaded.removed }
    },
    text: ({ left_out, removed, ...summary }, terminal) =>
      [
        showSummary(summary, terminal),
        '',
        ...leftOutNotes(left_out),
        ...removedNotes(removed),
        'The installation is as it was then.'
      ].join('\n'),
    returns: 'Backup'
  })

const removedNotes = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Removed, as no migration makes them: ${names.join(', ')}.`]

const loading = ({ log, plugins }: Kernel, config: Config, { signal }: Terminal) => ({
  log,
  home: config.home,
  keyring: () => createCurrentKeyring(config),
  signal,
  migratorOn: (db: Kernel['db']) =>
    createSchemaMigrator(
      db,
      plugins.map(({ plugin }) => plugin)
    )
})

/** Each plugin after those it needs. @throws with the name of the one that fails. */
async function rebuildDerived({ plugins }: Kernel, tx: Tx, signal: AbortSignal): Promise<void> {
  for (const { plugin, contribution } of plugins) {
    try {
      await contribution.onRestore?.(tx, signal)
    } catch (cause) {
      if (cause instanceof AppError || signal.aborted) throw cause
      const reason = messageOf(cause)
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

/** What the child process needs to load a backup: no plugin runs there, only their migrations. */
const verificationOf = ({ plugins }: Kernel, { home, secretKey, jwtSecret, fromEnvironment }: Config) => ({
  keys: { home, secretKey, jwtSecret, ...(fromEnvironment === undefined ? {} : { fromEnvironment }) },
  sources: schemaSources(plugins.map(({ plugin }) => plugin))
})
