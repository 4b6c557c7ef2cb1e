import { jobType } from '#core'

/** Makes the media of one row of `media_jobs`. */
export const MakeMedia = jobType<{ job_id: string }>('media.make')
/** Deletes files of the store that no post has now. */
export const RemoveFiles = jobType<{ keys: string[] }>('media.remove_files')
/** Deletes files of the store that never became those of a post. */
export const RemoveOrphans = jobType<Record<string, never>>('media.remove_orphans')
