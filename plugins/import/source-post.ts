/** A post as another system has it. Texts are as they were written there; `convert-posts.ts` makes them ours. */
export interface SourcePost {
  /** Stays the same in every export of the same site. */
  id: string
  /** For messages: the file, or the title. */
  name: string
  title: string
  /** Empty where the system has none. */
  slug: string
  text: { format: 'markdown' | 'html'; value: string }
  excerpt: string | null
  /** Everybody could read it there. */
  is_public: boolean
  /** ISO 8601, or as the author wrote it. */
  published_at: string | null
  /** Before that nobody could read it, and after `visible_until` no more: as `published_at`, or null. */
  visible_from: string | null
  visible_until: string | null
  created_at: string | null
  updated_at: string | null
  /** Names, the main one first. */
  categories: string[]
  tags: string[]
  authors: string[]
  seo_title: string | null
  seo_description: string | null
  /** Address or path of its picture. */
  image: string | null
  language: string | null
  /** Paths, or whole addresses, that readers knew it by. */
  addresses: string[]
  /** What the reader changed or left out of it. */
  notes: string[]
}

/** What a reader found: a post, or something that is left where it is. */
export type SourceItem =
  | { kind: 'post'; post: SourcePost }
  /** `failed`: it should have been a post. `reason` completes the name: "has no text". */
  | { kind: 'left' | 'failed'; name: string; reason: string }

/** A picture that lies here. */
export interface LocalImage {
  /** The same for the same file. */
  key: string
  /** @throws ImageFault */
  read(): Promise<Uint8Array>
}

/**
 * Finds the picture that a post names by an address, where it lies here. Null when it does not.
 * @throws ImageFault for one that is not read
 */
export type FindImage = (address: string, post: Pick<SourcePost, 'id'>) => Promise<LocalImage | null>

/** An export, or a folder, that can be read. */
export interface ImportSource {
  system: 'markdown' | 'ghost' | 'wordpress'
  /** Tells ids of one site from those of another; empty where ids are unique in the world. */
  site: string
  /** Posts and others; undefined when it is not known. */
  total: number | undefined
  items(): AsyncIterable<SourceItem>
  /** Finds a picture of its posts where it lies here. */
  findImage: FindImage
  /** Of the site, for addresses without a host; null where nobody knows it. */
  siteUrl: string | null
}

/** A post with nothing but its texts. */
export function emptyPost(base: Pick<SourcePost, 'id' | 'name' | 'text'>): SourcePost {
  return {
    ...base,
    title: '',
    slug: '',
    excerpt: null,
    is_public: false,
    published_at: null,
    visible_from: null,
    visible_until: null,
    created_at: null,
    updated_at: null,
    categories: [],
    tags: [],
    authors: [],
    seo_title: null,
    seo_description: null,
    image: null,
    language: null,
    addresses: [],
    notes: []
  }
}
