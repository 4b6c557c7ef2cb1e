import { constants, existsSync, statSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import { type Check, critical, degraded, type Finding, ok, skipped } from '../../core/contract/check.ts'
import { AppError } from '../../core/contract/errors.ts'
import { bootstrapFile } from '../../core/home.ts'
import { unfinishedRestores } from '../backup/restore.ts'
import { dataFolder } from '../config/home.ts'
import { moveMark } from '../config/unfinished-move.ts'
import { foundOf } from './report.ts'

/** What needs nothing but the home: its permissions, its configuration and its disk. `config`: as read, or why not. */
export function homeChecks(home: string, config: Config | AppError): Check[] {
  return [
    { name: 'home', run: () => checkHome(home) },
    { name: 'configuration', run: async () => checkConfiguration(home, config) },
    { name: 'disk', run: () => checkDisk(home) },
    { name: 'restores', run: () => checkRestores(home) }
  ]
}

async function checkHome(home: string): Promise<Finding> {
  const stats = statSync(home, { throwIfNoEntry: false })
  if (stats === undefined)
    return critical(`${home} does not exist.`, 'Run galley setup, or name the home with GALLEY_HOME.')
  if (!stats.isDirectory()) return critical(`${home} is not a folder.`, 'Name a folder with GALLEY_HOME.')
  const fault = await access(home, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown'
  )
  if (fault === 'EROFS')
    return critical(`${home} is on a disk that is read-only.`, 'Mount it so that it can be written.')
  if (fault !== null)
    return critical(`${home} is closed to this user.`, `Run galley as the user that ${home} belongs to.`)
  if ((stats.mode & 0o077) !== 0)
    return degraded(`${home} may be entered by others (mode ${octal(stats.mode)}).`, `Run chmod 700 ${home}`)
  return ok(`${home}, closed to others`)
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

function checkConfiguration(home: string, config: Config | AppError): Finding {
  const file = bootstrapFile(home)
  if (config instanceof AppError) {
    const { remedy = `correct ${file} or the environment` } = config
    return critical(`${foundOf(config)}.`, remedy.charAt(0).toUpperCase() + remedy.slice(1))
  }
  if (!existsSync(file)) return ok('from the environment, without bootstrap.env')
  const { uid } = statSync(file)
  if (uid !== process.getuid?.())
    return degraded(`${file} belongs to another user (uid ${uid}).`, `Run chown ${process.getuid?.()} ${file}`)
  return ok(`${file}, closed to others`)
}

const mb = 1024 * 1024
/** A database that cannot write its log stops. */
const criticalBytes = 100 * mb
const scarceBytes = 1024 * mb

/** The disk of the home, and of the embedded database where a link puts it elsewhere. */
async function checkDisk(home: string): Promise<Finding> {
  if (!existsSync(home)) return skipped('there is no home')
  const folders = [home, dataFolder(home), path.join(home, 'media')].filter(existsSync)
  const free = await Promise.all(
    folders.map(async folder => {
      const { bavail, bsize, ffree, files } = await statfs(folder)
      return { folder, bytes: bavail * bsize, isOutOfFiles: files > 0 && ffree === 0 }
    })
  )
  const scarcest = free.reduce((a, b) => (b.bytes < a.bytes ? b : a))
  const found = `${Math.floor(scarcest.bytes / mb)} MB are free on the disk of ${scarcest.folder}`
  const remedy = 'Make room: old backups are in the folder backups of the home.'
  if (free.some(({ isOutOfFiles }) => isOutOfFiles)) return critical(`The disk of ${home} takes no more files.`, remedy)
  if (scarcest.bytes < criticalBytes) return critical(`${found}.`, remedy)
  return scarcest.bytes < scarceBytes ? degraded(`${found}.`, remedy) : ok(found)
}

async function checkRestores(home: string): Promise<Finding> {
  const [left] = await unfinishedRestores(home)
  if (left !== undefined)
    return degraded(
      `A restore was interrupted: ${left.folder} is left of it.`,
      'Run galley backup create: it completes or undoes it.'
    )
  return existsSync(moveMark(home))
    ? degraded(
        'A move to another database was interrupted. This one is whole and in use; the other holds what was copied.',
        `Move again, which replaces the copy, or drop that database and remove ${moveMark(home)}.`
      )
    : ok('none was interrupted')
}
