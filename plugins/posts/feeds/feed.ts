/** A feed, whichever format it is written in. */
export interface Feed {
  title: string
  description: string
  /** BCP 47. */
  language: string
  /** Title of the website, whatever the feed is of. */
  site: string
  /** Address of the page that lists what the feed has. */
  page: string
  /** Address of the feed itself. */
  self: string
  /** The WebSub hub that tells of changes; empty for none. */
  hub: string
  /** The last change of what it shows. */
  updated: Date
  items: readonly FeedItem[]
}

export interface FeedItem {
  /** Not the address: that may change, and readers would show the post again. */
  id: string
  url: string
  title: string
  /** Empty for none. */
  excerpt: string
  /** Null where feeds have excerpts only. */
  html: string | null
  author: string | null
  published: Date
  updated: Date
  /** Its category, and its tags. */
  labels: readonly FeedLabel[]
}

export interface FeedLabel {
  /** As readers see it. */
  name: string
  /** What programs know it by: the slug of a category, a tag itself. */
  term: string
}
