import { type FieldErrors, schemaFaults } from '#core'
import type { PostPatch } from './edits.ts'
import { reservedFault } from './edits.ts'
import { PostPatch as PostPatchSchema } from './schemas.ts'
import { reservedSlugs } from './slug.ts'

/** What is wrong with the fields of a patch, as the API tells of it; that it has none is not said. */
export function patchFaults(patch: PostPatch): FieldErrors {
  const { body: _, ...faults } = schemaFaults(PostPatchSchema, patch)
  const isReserved = patch.slug !== undefined && reservedSlugs.has(patch.slug)
  return isReserved ? { ...faults, slug: reservedFault(patch.slug ?? '') } : faults
}
