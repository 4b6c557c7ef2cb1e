import { jobType } from '#core'

/** Sends what is due to be mailed. */
export const SendNewsletters = jobType<Record<string, never>>('newsletter.send')
