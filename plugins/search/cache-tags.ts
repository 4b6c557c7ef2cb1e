import { postEntriesCacheTag } from '#plugins/posts'

/** Touched when the vocabulary learns words, which is after the post's own change. */
export const vocabularyCacheTag = 'search.vocabulary'
/** Touched when stored words are gone: which ones a process has stored says nothing then. */
export const storedWordsCacheTag = 'search.stored-words'
/** Touched when texts move to another segment, and when segments are merged. Answers stay as they are. */
export const indexCacheTag = 'search.index'
/** Touched when texts were indexed again, maybe in another language. */
export const languagesCacheTag = 'search.languages'

/** Nobody touches it alone: all tags are touched when a backup was restored. */
export const restoreCacheTag = 'search.restore'

/** What answers of a search are made of beside the posts. */
export const searchCacheTags = [postEntriesCacheTag, vocabularyCacheTag, languagesCacheTag] as const
