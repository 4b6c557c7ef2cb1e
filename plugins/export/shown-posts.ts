import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '#core'
import { readOrder } from './public-order.ts'
import { partSize } from './repository/export.ts'
import type { Surfaces } from './surfaces.ts'

/** A part, with a fingerprint that changes with whatever its files show. */
export interface WantedPart {
  part: number
  fingerprint: string
}

/** What all files of posts are to show, as it was when a step of a run began. */
export interface ShownPosts {
  /** Those that have public posts. */
  parts: readonly WantedPart[]
  /** What the files of a post show of other posts; undefined where they show none. */
  besideOf(post_no: number): string | undefined
}

/** All posts are read in one statement. Their neighbours are compared here: sorting them in the database takes longer. */
export async function readShownPosts(db: Db, surfaces: Surfaces): Promise<ShownPosts> {
  const order = await readOrder(db)
  const besideOf = await surfaces.beside(db, order)
  const places = new Map<number, number[]>()
  order.post_nos.forEach((post_no, at) => {
    const part = Math.floor(post_no / partSize)
    const ofPart = places.get(part)
    if (ofPart === undefined) places.set(part, [at])
    else ofPart.push(at)
  })
  const parts: WantedPart[] = []
  for (const [part, ofPart] of [...places].sort(([a], [b]) => a - b)) {
    const texts = ofPart.map(at => `${order.versions[at]} ${besideOf(order.post_nos[at] ?? 0)}`)
    parts.push({ part, fingerprint: createHash('md5').update(texts.join('\n')).digest('hex') })
    // Readers wait no longer than for a part.
    await setImmediate()
  }
  return { parts, besideOf }
}
