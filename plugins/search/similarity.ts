/** A post and how near its text is. */
export interface PostSimilarity {
  post_no: number
  /** Cosine, 0–1. */
  similarity: number
}

/** Posts compared with a query. `weight`: how much their similarities count beside their words, where both agree. */
export interface PostComparison {
  similarities: readonly PostSimilarity[]
  weight: number
}
