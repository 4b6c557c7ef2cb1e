import type { Queryable } from '#core'
import type { PublicOrder } from './index.ts'
import { readPublicOrder } from './repository/export.ts'

/** All public posts, in one statement. */
export async function readOrder(db: Queryable): Promise<PublicOrder> {
  const text = await readPublicOrder(db)
  const versions = text === '' ? [] : text.split(',')
  return { post_nos: Int32Array.from(versions, version => Number.parseInt(version, 10)), versions }
}
