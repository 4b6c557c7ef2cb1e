import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { packageRoot } from '../../core/paths.ts'
import { createPglite } from './pglite/pglite.ts'
import { dropTemplateDatabases } from './repository.ts'

/** An empty data folder, made when the package was built: unpacking it takes a fraction of what initdb takes. */
const file = path.join(packageRoot, 'dist', 'fresh-cluster.tar.gz')

/** It is 15 MB: zlib's own 16 KB would be 1,000 turns of a thread. */
const chunkSize = 4 * 1024 * 1024

/** The empty data folder as a tar for a folder that has none yet; undefined when it has, or when none was built. */
export async function freshCluster(dataDir: string): Promise<Uint8Array | undefined> {
  if (existsSync(path.join(dataDir, 'PG_VERSION')) || !existsSync(file)) return undefined
  return promisify(gunzip)(await readFile(file), { chunkSize })
}

/** Makes the file, once. */
export async function buildFreshCluster(): Promise<void> {
  if (existsSync(file)) return
  const db = await createPglite({ dataDir: 'memory://' })
  await dropTemplateDatabases(db)
  const packed = await promisify(gzip)(await db.dump(), { level: 4 })
  await db.close()
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(`${file}.part`, packed)
  await rename(`${file}.part`, file)
}
