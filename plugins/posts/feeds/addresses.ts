/** Which posts a feed has: those of a category or of a tag, by its slug; without either all. */
export interface FeedScope {
  category?: string
  tag?: string
}

/** The formats of a feed, by the file name at the end of its address. */
const feedFiles = { rss: 'feed.xml', atom: 'atom.xml', json: 'feed.json' } as const
export type FeedFormat = keyof typeof feedFiles
export const feedFormats = ['rss', 'atom', 'json'] as const satisfies FeedFormat[]

/** The path of a feed. */
export const feedPath = (format: FeedFormat, scope: FeedScope = {}): string => `${folderOf(scope)}/${feedFiles[format]}`

function folderOf({ category, tag }: FeedScope): string {
  if (category !== undefined) return `/categories/${category}`
  return tag === undefined ? '' : `/tags/${tag}`
}
