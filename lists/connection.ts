import { encodeCursor } from './cursor.ts'
import type { Page, PageQuery, PageRequest } from './pages.ts'

/** Arguments of a field that returns a connection. */
export interface ConnectionArguments {
  readonly first: number
  readonly after?: string | null
}

/** The list parameters that a connection's arguments stand for: cursors are the same as the REST lists'. */
export const pageQueryOf = ({ first, after }: ConnectionArguments): PageQuery => ({
  limit: first,
  ...(after == null ? {} : { cursor: after })
})

/** The page of a request as a connection. `cursorOf` gives an item's sort values, as for `toPage`. */
export function connectionOf<Item>(
  { items, next_cursor, total }: Page<Item>,
  request: Pick<PageRequest, 'list'>,
  cursorOf: (item: Item, index: number) => readonly string[]
) {
  const edges = items.map((node, at) => ({ node, cursor: () => encodeCursor(cursorOf(node, at), request) }))
  return {
    edges,
    page_info: () => ({ has_next_page: next_cursor !== null, end_cursor: edges.at(-1)?.cursor() ?? null }),
    total_count: total
  }
}
