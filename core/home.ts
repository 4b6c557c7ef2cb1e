import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { AppError } from './contract/errors.ts'
import { errorCode } from './unknown.ts'

/** File in the home that holds the database's URL and the installation's keys. */
export const bootstrapFile = (home: string): string => path.join(home, 'bootstrap.env')

/** The keys of `bootstrap.env`; null when there is no such file. @throws AppError when others may read it, or nobody. */
export function readBootstrap(home: string): Record<string, string | undefined> | null {
  const file = bootstrapFile(home)
  const text = readPrivate(file)
  return text === null ? null : parseVariables(text)
}

/** Variables of a dotenv text. An editor's byte order mark would become part of the first key. */
export const parseVariables = (text: string): Record<string, string | undefined> =>
  parseEnv(text.replace(/^\ufeff/, ''))

function readPrivate(file: string): string | null {
  try {
    const stats = statSync(file)
    const { mode } = stats
    if (stats.isDirectory()) throw refused(`${file} is a folder`, 'put the file with the keys in its place')
    if ((mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw refused(
        `${file} may be read by others (mode ${shown}), and it holds this installation's keys`,
        `run chmod 600 ${file}`
      )
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    const home = path.dirname(file)
    if (code === 'ENOTDIR') throw refused(`${home} is not a folder`, 'name a folder with GALLEY_HOME')
    throw refused(`${file} cannot be read (${code})`, 'run galley as the user it belongs to')
  }
}

const refused = (found: string, remedy: string): AppError => new AppError('INTERNAL_ERROR', found, { remedy })
