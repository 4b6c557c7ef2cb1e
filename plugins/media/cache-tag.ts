/** Touched by every change of the files of episodes and of the podcast's picture: cached answers are dropped by it. */
export const mediaCacheTag = 'media.files'
