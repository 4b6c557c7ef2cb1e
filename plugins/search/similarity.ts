/** A post and how near its text is. */
export interface PostSimilarity {
  post_no: number
  /** Cosine, 0–1. */
  similarity: number
}
