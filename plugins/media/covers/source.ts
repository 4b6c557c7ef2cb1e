import { createHash } from 'node:crypto'
import type { Post } from '#plugins/posts'
import { CoverError } from '../cover-error.ts'
import type { Picture } from '../pictures/decoding.ts'

/** The cover of a post as it will be made. */
export interface CoverPlan {
  /** What the picture depends on: the same is the same picture. */
  from: unknown
  make(signal: AbortSignal): Promise<Picture>
}

/** Where covers come from. @throws UnavailableError when it cannot make one */
export interface CoverDriver {
  plan(post: CoverPost): Promise<CoverPlan>
  settingsFault(): SettingsFault | null
  /** What else an operator is to correct, as far as can be tried for nothing. */
  findFault?(signal: AbortSignal): Promise<SettingsFault | null>
}

/** Settings that are missing for the driver to work. Null for none. */
export interface SettingsFault {
  found: string
  remedy: string
}

/** @throws CoverError for a driver that cannot work yet. */
export function requireSettings({ settingsFault }: Pick<CoverDriver, 'settingsFault'>): void {
  const fault = settingsFault()
  if (fault !== null) throw new CoverError(fault.found, { remedy: fault.remedy })
}

export type CoverPost = Pick<Post, 'post_id' | 'title' | 'excerpt' | 'language'> & {
  category: { slug: string; name: string } | null
}

/** Counts up when covers are drawn in another way. */
const version = 1

export const sourceHash = ({ from }: CoverPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([version, from]))
    .digest('hex')
