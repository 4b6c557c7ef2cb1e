import { jobType } from '#core'

/** `waits`: how often its endpoint has had it wait. */
export interface MediaWork {
  job_id: string
  waits?: number
}

/** Makes the media of one row of `media_jobs`. */
export const MakeMedia = jobType<MediaWork>('media.make')
/** The same for a row of a long text: a short one does not wait while a book is read aloud. */
export const MakeLongMedia = jobType<MediaWork>('media.make_long')
/** The same for a row of a cover alone: it does not wait while an episode is made. */
export const MakeCover = jobType<MediaWork>('media.make_cover')
/** Draws the picture of the podcast, where it needs one. */
export const DrawPodcastArt = jobType<Record<string, never>>('media.podcast_art')
/** Looks for what the operator changed: files in the store, and what is on the picture of the podcast. */
export const RefreshMedia = jobType<Record<string, never>>('media.refresh')
/** Deletes files of the store that no post has now. */
export const RemoveFiles = jobType<{ keys: string[] }>('media.remove_files')
/** Deletes files of the store that never became those of a post. */
export const RemoveOrphans = jobType<Record<string, never>>('media.remove_orphans')
