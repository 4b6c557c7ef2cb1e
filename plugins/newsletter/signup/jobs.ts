import { jobType } from '#core'

/** Handles the sign-ups that wait. */
export const HandleSignups = jobType<Record<string, never>>('newsletter.signups')
/** Sends the mails that ask for a confirmation. */
export const SendConfirmations = jobType<Record<string, never>>('newsletter.confirmations')
