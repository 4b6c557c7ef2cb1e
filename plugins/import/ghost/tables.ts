import { describedLabel } from '../described-label.ts'
import type { SourceItem } from '../source-post.ts'
import { columnText, type GhostRow, rowsOf } from './records.ts'

/** What posts of an export name by id. */
export interface GhostTables {
  /** Of a post, the main one first. Without those that only the theme uses. */
  tags(post: GhostRow): string[]
  authors(post: GhostRow): string[]
  /** What newer versions have in a table of its own: SEO texts. */
  meta(post: GhostRow): GhostRow | undefined
  /** What the report says of tags with a description. */
  described: readonly SourceItem[]
}

export function readTables(data: GhostRow): GhostTables {
  const tags = byId(rowsOf(data, 'tags'))
  const users = byId(rowsOf(data, 'users'))
  const metas = new Map(rowsOf(data, 'posts_meta').map(row => [String(row.post_id), row]))
  const tagsOfPosts = linked(rowsOf(data, 'posts_tags'), 'tag_id')
  const authorsOfPosts = linked(rowsOf(data, 'posts_authors'), 'author_id')
  const nameOf = (row: GhostRow | undefined) => columnText(row, 'name') ?? []
  const isOfTheme = (row: GhostRow | undefined) =>
    row?.visibility === 'internal' || columnText(row, 'name')?.startsWith('#') === true
  return {
    tags: post =>
      (tagsOfPosts.get(String(post.id)) ?? []).flatMap(id => (isOfTheme(tags.get(id)) ? [] : nameOf(tags.get(id)))),
    authors(post) {
      const ids = authorsOfPosts.get(String(post.id)) ?? [String(post.author_id)]
      return ids.flatMap(id => nameOf(users.get(id)))
    },
    meta: post => metas.get(String(post.id)),
    described: [...tags.values()].flatMap(tag =>
      isOfTheme(tag) ? [] : describedLabel(columnText(tag, 'name') ?? '', columnText(tag, 'description') ?? '')
    )
  }
}

const byId = (rows: readonly GhostRow[]): Map<string, GhostRow> => new Map(rows.map(row => [String(row.id), row]))

/** Ids that belong to each post, in their order. */
function linked(rows: readonly GhostRow[], column: string): Map<string, string[]> {
  const ordered = rows.toSorted((a, b) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0))
  const ids = new Map<string, string[]>()
  for (const row of ordered) {
    const post_id = String(row.post_id)
    const known = ids.get(post_id)
    if (known === undefined) ids.set(post_id, [String(row[column])])
    else known.push(String(row[column]))
  }
  return ids
}
