import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import { type CommandGroup, command, NotFoundError, type Terminal } from '../../core/index.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { createKeyring } from '../../core/keyring.ts'
import { version } from '../../core/version.ts'
import { pageTable } from '../framework/table.ts'
import { runInChild } from './child.ts'
import { createBackup } from './create.ts'
import { backupFolder } from './list.ts'
import { completeRestore } from './restore.ts'
import { restoreCommand, verifyCommand } from './restore-commands.ts'
import { type BackupSummary, backupSummary, fileOf, showSummary, withProgress } from './summary.ts'
import { prepareNewFile } from './write-file.ts'

/** `galley backup`: the whole installation, but for its keys, in one file. */
export function backupCommands(kernel: Kernel, config: Config): CommandGroup {
  return {
    create: createCommand(kernel, config),
    list: listCommand(config),
    verify: verifyCommand(kernel, config),
    restore: restoreCommand(kernel, config)
  }
}

const createCommand = ({ db }: Kernel, config: Config) =>
  command({
    describe: 'Write the database and the media files into one file',
    args: {
      file: {
        type: 'string',
        placeholder: 'FILE',
        completes: 'file',
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
        return backupSummary(target, { header, manifest })
      } finally {
        await place.discard()
      }
    },
    text: (summary, terminal) =>
      `${showSummary(summary, terminal)}\n\nThe keys are not in it: keep a copy of bootstrap.env elsewhere, restoring needs it.`,
    returns: 'Backup'
  })

const columns = [
  { heading: 'FILE' },
  { heading: 'MADE AT', dropOrder: 1 },
  { heading: 'SIZE', dropOrder: 2 },
  { heading: 'GALLEY', dropOrder: 3 },
  { heading: 'POSTS', dropOrder: 4 },
  { heading: 'FILES', dropOrder: 5 },
  { heading: 'PROBLEM', isText: true }
]

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
      const request = { kind: 'list', folder: backupFolder(home), limit, offset } as const
      return { ...(await runInChild<'list'>(request, terminal)), limit, offset }
    },
    text: ({ items, ...page }, terminal) => {
      const rows = items.map(({ file, created_at, size, galley, posts, files, problem }) => [
        path.basename(file),
        created_at,
        `${(size / 1e6).toFixed(1)} MB`,
        galley,
        posts === null ? null : String(posts),
        files === null ? null : String(files),
        problem
      ])
      const folder = backupFolder(home)
      const empty = `No backup is in ${folder}: "backup create" makes one there.`
      const shown = pageTable(columns, rows, { ...page, empty }, terminal)
      return items.length === 0 ? shown : `${shown} in ${folder}`
    }
  })

/** @throws NotFoundError when its folder is not there: a mistyped path must not make one. */
function newFileOf(named: string, terminal: Terminal): string {
  const file = fileOf(named, terminal)
  const folder = path.dirname(file)
  if (!existsSync(folder)) throw new NotFoundError(`There is no folder ${folder}: make it, or name another file.`)
  return file
}

const defaultFile = (home: string, now: Date): string =>
  path.join(backupFolder(home), `galley-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`)
