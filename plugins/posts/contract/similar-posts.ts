/** A post as it is compared with others. */
export interface ComparedPost {
  post_id: string
  slug: string
  title: string
  /** Markdown. */
  content: string
}

/** A post like another; `similarity` 0–1. */
export interface SimilarPost {
  post_id: string
  slug: string
  title: string
  similarity: number
}

/** Compares posts. */
export interface SimilarPosts {
  /** The published post whose title is nearest to `title`; null when there is none or no embedder answers. Ask it outside of transactions. */
  nearestTitle(title: string): Promise<SimilarPost | null>
  /** The published post whose text shares most with `content`. Ask it outside of transactions. */
  nearestText(title: string, content: string): Promise<SimilarPost | null>
  /** Of these posts the one whose text shares most with `content`. */
  nearestOf(content: string, posts: readonly ComparedPost[]): SimilarPost | null
  /**
   * The candidates that nearly repeat one of `others` or an earlier candidate that repeats nothing itself, with what they
   * repeat: of equal texts the first stays.
   */
  findDuplicates(
    candidates: readonly ComparedPost[],
    others: readonly ComparedPost[],
    isDuplicate: (found: SimilarPost) => boolean
  ): Promise<Map<string, SimilarPost>>
}
