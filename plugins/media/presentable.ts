import { AppError, UnavailableError } from '#core'
import { PictureError } from './pictures/picture-error.ts'

/** Completes the sentence about a fault that nobody foresaw. */
export const seeLog = 'the log of the service says why. Ask again once that is mended.'

/** A fault for whoever reads of a post: one whose words were not written for people has them in its cause, for the log. */
export const presentable = (error: unknown): Error =>
  error instanceof AppError || error instanceof PictureError
    ? error
    : new UnavailableError(`The media could not be made: ${seeLog}`, { cause: error })
