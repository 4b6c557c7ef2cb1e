import type { BigIntStats } from 'node:fs'

/** A file replaced or changed in place has another inode or another time, to the nanosecond. */
export const fileEtag = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs].map(part => part.toString(36)).join('-')}"`
