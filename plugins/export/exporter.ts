import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Db, Installation, Tx } from '#core'
import { createNoteFile } from '#files'
import { readDatabaseIdentity, readExporterId, writeExporterId } from './repository/exporter.ts'
import { hashOf } from './surfaces.ts'
import { type ExportTarget, OtherExporterError } from './target.ts'

/** Whose export a target has. */
export interface Exporter {
  /**
   * For a target with the export of another database: the one would remove what the other publishes. A copy that is restored
   * elsewhere is another one. `key`: what the target names. @throws OtherExporterError
   */
  requireOwn(target: ExportTarget, key: string | undefined): Promise<void>
  /** Whether that would pass. */
  isOwn(target: ExportTarget, key: string | undefined): Promise<boolean>
  /** What a target is to name. Undefined where the database cannot be told from others. */
  establishKey(): Promise<string | undefined>
  /** After a restore into this installation: the id in the backup may be another. */
  restore(tx: Tx): Promise<void>
}

export function createExporter({ db, installation }: { db: Db; installation: Pick<Installation, 'home'> }): Exporter {
  let known: Identity | undefined
  // Not while plugins are wired: which database it is may not be known yet.
  const identity = () => {
    known ??= db.kind === 'pglite' ? createEmbeddedIdentity(db, installation.home) : serverIdentity(db)
    return known
  }
  const keyOf = (found: string | null) =>
    found === null ? undefined : hashOf(`${db.kind} ${found}`).slice(0, keyLength)
  const isOwn: Exporter['isOwn'] = async (target, key) => {
    if (target.isOwn || key === undefined) return true
    const own = keyOf(await identity().read())
    return own === undefined ? !identity().isCertain : key === own
  }
  return {
    isOwn,
    async requireOwn(target, key) {
      if (!(await isOwn(target, key))) throw new OtherExporterError(target.store)
    },
    establishKey: async () => keyOf((await identity().read()) ?? (await identity().establish())),
    restore: tx => identity().restore(tx)
  }
}

const keyLength = 16

interface Identity {
  /** Null before there is one, or where nobody knows it. It changes nothing. */
  read(): Promise<string | null>
  establish(): Promise<string | null>
  restore(tx: Tx): Promise<void>
  /** Null means that no export was written from here. */
  isCertain: boolean
}

/** A database of a server is known by its server. */
function serverIdentity(db: Db): Identity {
  const read = () => readDatabaseIdentity(db)
  return { read, establish: read, restore: async () => {}, isCertain: false }
}

/**
 * All embedded databases begin as copies of one. So an id is noted in the database and in the home: a new database in the home has
 * none, a backup that is restored elsewhere has no note, and the note of a copied home knows that it is a copy.
 */
function createEmbeddedIdentity(db: Db, home: string): Identity {
  const note = createNoteFile(path.join(home, 'export-id.json'), { isDurable: true })
  return {
    isCertain: true,
    async read() {
      const noted = await note.read()
      const id = await readExporterId(db)
      return noted !== null && !noted.isCopy && noted.content.id === id ? id : null
    },
    async establish() {
      const id = randomUUID()
      await note.write({ id })
      await writeExporterId(db, id)
      return id
    },
    async restore(tx) {
      const noted = await note.read()
      if (noted !== null && !noted.isCopy && isId(noted.content.id)) await writeExporterId(tx, noted.content.id)
    }
  }
}

/** Anybody may have changed the file. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
