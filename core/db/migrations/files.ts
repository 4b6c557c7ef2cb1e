import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConflictError } from '../../contract/errors.ts'
import { errorCode } from '../../unknown.ts'

/** Namespace of the service's own migrations. */
export const ownNamespace = 'galley'

/** A folder of migrations: the service's own (`galley`), or a plugin's under the plugin's name. */
export interface MigrationSource {
  namespace: string
  folder: URL | string
}

/** A file `YYYYMMDD_HHMMSS_<slug>.sql`. Each section begins with as many empty lines as the file has before it, so that an error's line number is the file's. */
export interface Migration {
  name: string
  namespace: string
  /** SHA-256 of the up section: a rollback may be corrected later, what was applied may not. */
  checksum: string
  up: string
  /** Absent when the migration cannot be rolled back. */
  down?: string
}

const fileName = /^\d{8}_\d{6}_[a-z0-9_-]+\.sql$/
const directive = /^--!\s*(.*?)\s*$/

/** What a migration is called where several namespaces meet: the service's own by file name, a plugin's after its name. */
export const idOf = ({ namespace, name }: Pick<Migration, 'namespace' | 'name'>): string =>
  namespace === ownNamespace ? name : `${namespace}/${name}`

/** Reads every source, in the order given; within each, oldest first. */
export async function readMigrations(sources: readonly MigrationSource[]): Promise<Migration[]> {
  return (await Promise.all(sources.map(readSource))).flat()
}

async function readSource({ namespace, folder }: MigrationSource): Promise<Migration[]> {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder)
  const names = (await listFolder(path, namespace)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async name => parseMigration(name, namespace, await readFile(join(path, name), 'utf8'))))
}

async function listFolder(path: string, namespace: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (cause) {
    const message = `${path}, the migrations of ${namespace}, cannot be read (${errorCode(cause)}): install ${namespace} again.`
    throw new ConflictError(message, 'CONFLICT', { cause })
  }
}

/** @throws ConflictError when the name or the sections are not as they must be. */
function parseMigration(name: string, namespace: string, text: string): Migration {
  if (!fileName.test(name)) {
    const owner = namespace === ownNamespace ? '' : ` of ${namespace}`
    throw new ConflictError(`The migration ${name}${owner} must be named YYYYMMDD_HHMMSS_<slug>.sql.`)
  }
  const sections = readSections(name, text.replaceAll('\r\n', '\n').split('\n'))
  const up = sections.get('up')
  if (up === undefined) throw new ConflictError(`The migration ${name} has no line "--! up".`)
  const down = sections.get('down')
  return {
    name,
    namespace,
    checksum: createHash('sha256').update(up.trim()).digest('hex'),
    up,
    ...(down !== undefined && { down })
  }
}

/** Each section's text, led by as many empty lines as stand before it in the file, so that line numbers agree. */
function readSections(name: string, lines: readonly string[]): Map<string, string> {
  const sections = new Map<string, string>()
  let current: string | undefined
  for (const [index, line] of lines.entries()) {
    const named = directive.exec(line)?.[1]
    if (named === undefined) {
      if (current !== undefined) sections.set(current, `${sections.get(current)}${line}\n`)
      continue
    }
    if ((named !== 'up' && named !== 'down') || sections.has(named)) {
      throw new ConflictError(`${name}, line ${index + 1}: "${line}" must be "--! up" or "--! down", each once.`)
    }
    current = named
    sections.set(named, '\n'.repeat(index + 1))
  }
  return sections
}
