/** What every write to posts touches: cached answers and counts are dropped by it. */
export const postsCacheTag = 'posts'
/** Touched when memory has taken up what posts say now, which is after their own change. */
export const postEntriesCacheTag = 'posts.entries'
