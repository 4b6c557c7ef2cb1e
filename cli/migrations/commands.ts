import type { MigrationStatus } from '../../core/db/migrations/status.ts'
import { type CommandGroup, command, type Terminal } from '../../core/index.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { listOf, table } from '../framework/table.ts'
import { UsageError } from '../framework/usage-error.ts'
import { type Migrator, migratorOf } from './migrator.ts'
import type { DownSummary, MigrationFailure, UpSummary } from './run.ts'

const to = {
  type: 'string',
  placeholder: 'NAME',
  describe: 'Up to and including this one: a timestamp YYYYMMDD_HHMMSS or a file name'
} as const

const plugin = {
  type: 'string',
  placeholder: 'NAME',
  describe: 'Only the migrations of this plugin; galley: the service’s own'
} as const

/** `galley migrate`: what of the database's schema is applied, and changing it. */
export function migrateCommands(kernel: Kernel): CommandGroup {
  const migrator = migratorOf(kernel)
  return { status: statusCommand(migrator), up: upCommand(migrator), down: downCommand(migrator) }
}

const statusCommand = (migrator: Migrator) =>
  command({
    describe: 'Show each migration and whether it is applied',
    returns: 'list of Migration',
    args: { plugin },
    run: async ({ args }) => listOf(await migrator.status(args)),
    text: ({ items }, terminal) => statusTable(items, terminal)
  })

const upCommand = (migrator: Migrator) =>
  command({
    describe: 'Apply the migrations that are pending',
    returns: '{applied, skipped, failed, pending}',
    args: { to, plugin },
    async run({ args, terminal }) {
      const progress = terminal.progress('migrations')
      try {
        return await migrator.up(args, { onProgress: progress.update, signal: terminal.signal })
      } finally {
        progress.end()
      }
    },
    text: (summary: UpSummary) =>
      [
        ...summary.applied.map(name => `applied ${name}`),
        ...failures(summary.failed),
        counts(summary, ['applied', 'skipped', 'failed', 'pending'])
      ].join('\n'),
    exitStatus: ({ failed }) => (failed.length > 0 ? 1 : 0),
    exitStatuses: { 1: 'a migration failed, and was undone' }
  })

const downCommand = (migrator: Migrator) =>
  command({
    describe: 'Roll back the migration that was applied last',
    returns: '{rolled_back, skipped, failed, pending}',
    args: {
      to: { ...to, describe: 'Roll back all since this one, and this one: a timestamp YYYYMMDD_HHMMSS or a file name' },
      plugin,
      all: { type: 'boolean', describe: 'Roll back everything, with its data; with --json nobody is asked' }
    },
    async confirm({ args, isJson }) {
      refuseBoth(args)
      if (isJson) return null
      if (args.all)
        return {
          text: `Roll back every migration of ${args.plugin ?? 'the database'}, with all its data?`,
          isIrreversible: true
        }
      const names = await migrator.planDown(args)
      return names.length === 0 ? null : { text: `Roll back ${names.join(', ')}, with the data?` }
    },
    async run({ args, terminal }) {
      refuseBoth(args)
      const planned = await migrator.planDown(args)
      const summary = await migrator.down(args, { signal: terminal.signal })
      for (const warning of gapsIn(planned, summary)) terminal.note(warning)
      if (summary.rolled_back.length > 0)
        terminal.note('The service does not start on this database until "galley migrate up".')
      return summary
    },
    text: (summary: DownSummary) =>
      [
        ...summary.rolled_back.map(name => `rolled back ${name}`),
        ...summary.skipped.map(name => `skipped ${name}: it has no rollback`),
        ...failures(summary.failed),
        counts(summary, ['rolled_back', 'skipped', 'failed', 'pending'])
      ].join('\n'),
    exitStatus: ({ skipped, failed }) => (skipped.length + failed.length > 0 ? 1 : 0),
    exitStatuses: { 1: 'a migration has no rollback and was skipped, or its rollback failed and was undone' }
  })

/** What was built on something that is gone now. Neither `up` nor `serve` can see that in the tracking rows. */
function gapsIn(planned: readonly string[], { rolled_back, skipped }: DownSummary): string[] {
  return skipped.flatMap(name => {
    const dependencies = planned.slice(planned.indexOf(name)).filter(each => rolled_back.includes(each))
    if (dependencies.length === 0) return []
    return [
      `warning: ${name} stays, and was built on what was rolled back (${dependencies.join(', ')}): undo it by hand too, or restore a backup, before the service runs on this database again.`
    ]
  })
}

const bothGiven = '--to and --all exclude each other: give one of them'

function refuseBoth({ all, to }: { all: boolean; to?: string | undefined }): void {
  if (all && to !== undefined) throw new UsageError([{ field: 'to', fault: bothGiven, text: bothGiven }])
}

const failures = (failed: readonly MigrationFailure[]): string[] => failed.map(({ message }) => `failed ${message}`)

const counts = <Key extends string>(summary: Record<Key, readonly unknown[]>, keys: readonly Key[]): string =>
  keys.map(key => `${key.replace('_', ' ')} ${summary[key].length}`).join(', ')

const statusTable = (items: readonly MigrationStatus[], terminal: Terminal): string =>
  table(
    [
      { heading: 'MIGRATION' },
      { heading: 'FROM', dropOrder: 1 },
      { heading: 'STATE' },
      { heading: 'APPLIED AT', dropOrder: 2 },
      { heading: 'ROLLBACK', dropOrder: 3 }
    ],
    items.map(item => [item.name, item.namespace, item.state, item.applied_at, item.reversible ? 'yes' : 'no']),
    terminal
  )
