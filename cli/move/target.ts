import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolderSync } from '../../core/bootstrap-update.ts'
import type { Db } from '../../core/contract/database.ts'
import { dataFolder } from '../config/home.ts'
import { freshCluster } from '../database/fresh-cluster.ts'
import { createPglite } from '../database/pglite/pglite.ts'
import { createPostgres } from '../database/postgres/postgres.ts'

/** The database that is moved to. */
export interface Target {
  db: Db
  /** Makes it the one that a start finds. */
  makeCurrent(): Promise<void>
  /** Lets go of it, and removes what is not current. */
  discard(): Promise<void>
}

/** An empty database of a server. */
export function openServer(url: string): Target {
  const db = createPostgres({ url, max: 2, applicationName: 'galley move', statementTimeoutMs: 0 })
  return { db, makeCurrent: async () => {}, discard: () => db.close() }
}

const unfinishedFolder = /^\.move-[0-9a-f]{8}$/

/** The database in the home. It is made beside its place, which it takes as a whole. */
export async function openEmbedded(home: string): Promise<Target> {
  // The home is locked: what is there is of a move that was killed.
  for (const name of readdirSync(home))
    if (unfinishedFolder.test(name)) rmSync(path.join(home, name), { recursive: true, force: true })
  const folder = path.join(home, `.move-${randomBytes(4).toString('hex')}`)
  const snapshot = await freshCluster(folder)
  await mkdir(folder, { mode: 0o700 })
  const db = await createPglite({ dataDir: folder, snapshot })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= db.close())
  return {
    db,
    makeCurrent: async () => {
      await close()
      await syncTree(folder)
      if (existsSync(dataFolder(home))) rmdirSync(dataFolder(home))
      renameSync(folder, dataFolder(home))
      syncFolderSync(home)
    },
    discard: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Onto the disk, before `bootstrap.env` names it. */
async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const handle = await open(path.join(entry.parentPath, entry.name), 'r')
    await handle.sync().finally(() => handle.close())
  }
}
