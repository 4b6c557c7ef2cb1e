import type { Queryable } from '#core'
import { readRestoreId } from './repository/changes.ts'
import { hashOf, type Surfaces } from './surfaces.ts'

/** Changes with what all files depend on besides the posts, and with a restore. */
export async function readOrigin({
  db,
  surfaces
}: {
  db: Queryable
  surfaces: Pick<Surfaces, 'origin'>
}): Promise<string> {
  const [origin, restore_id] = await Promise.all([surfaces.origin(), readRestoreId(db)])
  return restore_id === null ? origin : hashOf(`${origin} ${restore_id}`)
}
