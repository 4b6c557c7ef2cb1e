import type { ExportStep, PartState } from './export-step.ts'
import type { PartManifest, PostEntry } from './manifest.ts'
import { readCheckedPartManifest } from './manifest-files.ts'
import { listPostsOfPart, type PublicRow } from './repository/export.ts'
import { isSafeSlug } from './surfaces.ts'

/** A part, and what a step has to write of it. */
export interface PartWork extends PartState {
  part: number
  /** The posts whose files are current, by `post_id`. Those that are written are added. */
  entries: Map<string, PostEntry>
  /** The posts to be written. */
  changed: readonly PublicRow[]
}

/** What the files of a post show. */
export const contentKeyOf = ({
  slug,
  revision,
  dependencies
}: Pick<PostEntry, 'slug' | 'revision' | 'dependencies'>): string => `${slug} ${revision} ${dependencies}`

/** Finds the posts of a part to be written: their files do not show what they are to show, or are not trusted. */
export async function openPart(
  step: ExportStep,
  part: number,
  isTrusted: (entry: PostEntry, before: PartManifest) => boolean
): Promise<PartWork> {
  const known = step.partStates.get(part)
  step.partStates.delete(part)
  const before = known === undefined ? await readCheckedPartManifest(step.target.store, part) : known.before
  const rows = (known?.rows ?? (await listPostsOfPart(step.db, part))).filter(row => isSafe(step, row))
  const dependencies = await step.shown.dependenciesOf(part)
  const wanted = new Map(
    rows.map(row => [row.post_id, contentKeyOf({ ...row, dependencies: dependencies.get(row.post_no) })])
  )
  const entries = new Map<string, PostEntry>()
  for (const entry of before?.posts ?? [])
    if (before !== null && wanted.get(entry.post_id) === contentKeyOf(entry) && isTrusted(entry, before))
      entries.set(entry.post_id, entry)
  return { part, before, rows, entries, changed: rows.filter(({ post_id }) => !entries.has(post_id)) }
}

function isSafe({ log }: ExportStep, { post_id, slug }: PublicRow): boolean {
  if (isSafeSlug(slug)) return true
  log.warn({ post_id, slug }, 'a post is left out of the export: its slug is not a file name')
  return false
}
