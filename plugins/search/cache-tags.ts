import { postEntriesCacheTag } from '#plugins/posts'

/** Touched when the vocabulary learns words, which is after the post's own change. */
export const vocabularyCacheTag = 'search.vocabulary'
/** Touched when posts are to be indexed in another language, and when they are. */
export const languagesCacheTag = 'search.languages'

/** What answers of a search are made of beside the posts. */
export const searchCacheTags = [postEntriesCacheTag, vocabularyCacheTag, languagesCacheTag] as const
