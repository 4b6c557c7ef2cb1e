import { UsageError } from '../core/command-line.ts'
import type { DownSummary, MigrationFailure, Migrator, UpSummary } from '../core/db/migrate.ts'
import type { MigrationStatus } from '../core/db/migration-status.ts'
import { type CommandGroup, command, listOf, type Terminal, table } from '../core/index.ts'

const to = {
  type: 'string',
  placeholder: 'NAME',
  describe: 'Up to and including this one: a timestamp YYYYMMDD_HHMMSS or a file name'
} as const

/** `galley migrate`: what of the database's schema is applied, and changing it. */
export function migrateCommands(migrator: () => Migrator): CommandGroup {
  return { status: statusCommand(migrator), up: upCommand(migrator), down: downCommand(migrator) }
}

const statusCommand = (migrator: () => Migrator) =>
  command({
    describe: 'Show each migration and whether it is applied',
    args: {},
    run: async () => listOf(await migrator().status()),
    text: ({ items }, terminal) => statusTable(items, terminal)
  })

const upCommand = (migrator: () => Migrator) =>
  command({
    describe: 'Apply the migrations that are pending',
    args: { to },
    run: ({ args }) => migrator().up(args.to === undefined ? {} : { to: args.to }),
    text: (summary: UpSummary) =>
      [
        ...summary.applied.map(name => `applied ${name}`),
        ...failures(summary.failed),
        counts(summary, ['applied', 'skipped', 'failed', 'pending'])
      ].join('\n'),
    exit: ({ failed }) => (failed.length > 0 ? 1 : 0)
  })

const downCommand = (migrator: () => Migrator) =>
  command({
    describe: 'Roll back the latest migration',
    args: {
      to,
      all: { type: 'boolean', describe: 'Roll back everything' },
      yes: { type: 'boolean', alias: 'y', describe: 'Do not ask before --all' }
    },
    async run({ args, json }) {
      if (args.all && args.to !== undefined)
        throw new UsageError(['--to and --all exclude each other: give one of them'])
      if (args.all && !args.yes && !json) throw new UsageError(['--all removes all data: add --yes to go on'])
      return migrator().down({ all: args.all, ...(args.to === undefined ? {} : { to: args.to }) })
    },
    text: (summary: DownSummary) =>
      [
        ...summary.rolled_back.map(name => `rolled back ${name}`),
        ...summary.skipped.map(name => `skipped ${name}: it has no rollback`),
        ...failures(summary.failed),
        counts(summary, ['rolled_back', 'skipped', 'failed', 'pending'])
      ].join('\n'),
    exit: ({ skipped, failed }) => (skipped.length + failed.length > 0 ? 1 : 0)
  })

const failures = (failed: readonly MigrationFailure[]): string[] =>
  failed.map(({ name, message }) => `failed ${name}: ${message}`)

const counts = <Key extends string>(summary: Record<Key, readonly unknown[]>, keys: readonly Key[]): string =>
  keys.map(key => `${key.replace('_', ' ')} ${summary[key].length}`).join(', ')

const statusTable = (items: readonly MigrationStatus[], terminal: Terminal): string =>
  table(
    ['MIGRATION', 'FROM', 'STATE', 'APPLIED AT', 'ROLLBACK'],
    items.map(item => [item.name, item.namespace, item.state, item.applied_at, item.reversible ? 'yes' : 'no']),
    terminal
  )
