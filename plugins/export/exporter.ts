import type { Db, Installation } from '#core'
import type { Manifest } from './manifest.ts'
import { readDatabaseIdentity } from './repository/database-identity.ts'
import { hashOf } from './surfaces.ts'
import { type ExportTarget, OtherExporterError, realPath } from './target.ts'

/** Who exports, as the manifest names it. */
export interface Exporter {
  /**
   * Stops before anything is read or written for a target with the export of another database: the one would remove what the other
   * publishes. A copy that is restored elsewhere is another one. @throws OtherExporterError
   */
  requireOwn(target: ExportTarget, manifest: Manifest | null): Promise<void>
  /** For the manifest; undefined where the database cannot be told from others. */
  key(): Promise<string | undefined>
}

/** A database of a server is known by its server, the embedded one by its home. */
export function createExporter({ db, installation }: { db: Db; installation: Pick<Installation, 'home'> }): Exporter {
  const read = async () => {
    const identity = db.kind === 'pglite' ? realPath(installation.home) : await readDatabaseIdentity(db)
    return identity === null ? undefined : hashOf(`${db.kind} ${identity}`).slice(0, keyLength)
  }
  const key = async () => {
    known ??= await read()
    return known
  }
  let known: string | undefined
  return {
    key,
    async requireOwn({ store, isOwn }, manifest) {
      if (isOwn || manifest?.exporter === undefined) return
      const own = await key()
      if (own !== undefined && own !== manifest.exporter) throw new OtherExporterError(store)
    }
  }
}

const keyLength = 16
