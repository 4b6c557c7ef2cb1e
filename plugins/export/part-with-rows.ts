import type { ManifestPart } from './manifest.ts'
import type { PublicRow } from './repository/export.ts'

/** A part as the target has it, and the posts that are public now. */
export interface PartWithRows {
  before: ManifestPart | null
  rows: readonly PublicRow[]
}
