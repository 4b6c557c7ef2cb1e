import { jobType } from '#core'

/** Makes the media of one row of `media_jobs`. */
export const MakeMedia = jobType<{ job_id: string }>('media.make')
/** Deletes files of the store that no post has now. */
export const RemoveFiles = jobType<{ keys: string[] }>('media.remove_files')
