import type { ConvertedPost } from './convert-posts.ts'

/** What an import did, or with `dry_run` would do. */
export interface ImportReport {
  system: string
  site: string
  dry_run: boolean
  /** Posts that are new here. */
  imported: number
  published: number
  drafts: number
  /** Posts that an earlier run imported. */
  unchanged: number
  /** What is no post here: pages, lists, trash, links. */
  left: number
  /** What should have been a post and could not be. */
  failed: number
  /** Pictures that are stored now, each once. */
  images: number
  /** Pictures that were not found, or not taken. */
  images_left: number
  /** Pictures at addresses of other servers, which posts still name: `--fetch-images` takes them. */
  images_elsewhere: number
  /** Former addresses that lead to posts now. */
  redirects: number
  notes: ImportNote[]
  /** Beyond those that are listed. */
  further_notes: number
}

/** Something about one post, or file, that a person may want to look at. */
interface ImportNote {
  kind: 'changed' | 'left' | 'failed'
  name: string
  /** Of the post; null where there is none. */
  slug: string | null
  note: string
}

/** More than these are only counted. */
export const maxNotes = 1000

export function createImportReporter(base: Pick<ImportReport, 'system' | 'site' | 'dry_run'>) {
  const notes: ImportNote[] = []
  const report: ImportReport = {
    ...base,
    imported: 0,
    published: 0,
    drafts: 0,
    unchanged: 0,
    left: 0,
    failed: 0,
    images: 0,
    images_left: 0,
    images_elsewhere: 0,
    redirects: 0,
    notes,
    further_notes: 0
  }
  const add = (note: ImportNote) => {
    if (notes.length < maxNotes) notes.push(note)
    else report.further_notes += 1
  }
  return {
    report,
    note: add,
    /** Counts a post with its notes. `slug`: null where it is not known yet. */
    countImported(
      { source, post, notes }: ConvertedPost,
      { slug, redirects }: { slug: string | null; redirects: number }
    ) {
      report.imported += 1
      report[post.published_at === null ? 'drafts' : 'published'] += 1
      report.redirects += redirects
      const isMoved = slug !== null && source.slug !== '' && slug !== source.slug
      const moved = isMoved ? [`its slug is ${slug} (it was ${JSON.stringify(source.slug.slice(0, 100))})`] : []
      for (const each of [...moved, ...notes]) add({ kind: 'changed', name: source.name, slug, note: each })
    }
  }
}
export type ImportReporter = ReturnType<typeof createImportReporter>
