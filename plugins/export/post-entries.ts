import type { ExportRun } from './export-run.ts'
import type { ManifestPart, PartEntry, PostEntry } from './manifest.ts'
import type { PublicRow } from './repository/export.ts'

interface PartPosts {
  part: number
  before: ManifestPart | null
  rows: readonly PublicRow[]
  /** What their files are to show of other posts, by number. */
  beside: ReadonlyMap<number, string>
}

/** What the files of a post show. */
export const shownBy = ({ slug, revision, beside }: Pick<PostEntry, 'slug' | 'revision' | 'beside'>): string =>
  `${slug} ${revision} ${beside}`

/** The posts whose files are as they should be. */
export function currentEntries(run: ExportRun, { part, before, rows, beside }: PartPosts): Map<string, PostEntry> {
  const wanted = new Map(
    rows.map(({ post_id, post_no, slug, revision }) => [
      post_id,
      shownBy({ slug, revision, beside: beside.get(post_no) })
    ])
  )
  const { written, distrusted, marker, isUrgent } = run
  const isTrusted = !run.isForced && before?.origin === run.origin
  const isAsWritten = ({ files }: PostEntry) =>
    !files.some(({ path }) => distrusted.has(path) || marker.hasClaimed(path))
  const isCurrent = (entry: PostEntry) => {
    const shown = shownBy(entry)
    if (wanted.get(entry.post_id) !== shown) return false
    if (isUrgent || written.parts.has(part) || written.posts.get(entry.post_id) === shown) return true
    return isTrusted && isAsWritten(entry)
  }
  return new Map((before?.posts ?? []).filter(isCurrent).map(entry => [entry.post_id, entry]))
}

/** What a run that yields has not come to stays as it is. */
export function keepOld(
  entries: Map<string, PostEntry>,
  { rows, old }: { rows: readonly PublicRow[]; old: ReadonlyMap<string, PostEntry> }
): void {
  for (const { post_id, slug } of rows) {
    const entry = old.get(post_id)
    if (!entries.has(post_id) && entry?.slug === slug) entries.set(post_id, entry)
  }
}

export function noteWritten({ written }: ExportRun, part: number, entry: PartEntry, posts: readonly PostEntry[]): void {
  written.parts.set(part, entry)
  for (const { post_id } of posts) written.posts.delete(post_id)
}
