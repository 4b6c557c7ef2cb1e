import { AppError, messageOf, UnavailableError } from '#core'
import { DrawingError } from './cover-error.ts'
import { PictureError } from './pictures/picture-error.ts'

const seeLog = 'the log of the service says why. Ask again once that is mended.'

/** A fault that nobody foresaw, in words for whoever reads of a post. Its own are in its cause, for the log. */
class UnforeseenError extends UnavailableError {}

/** A fault for whoever reads of a post. */
export const presentable = (error: unknown): Error =>
  error instanceof AppError || error instanceof PictureError
    ? error
    : new UnforeseenError(`The media could not be made: ${seeLog}`, { cause: error })

/** The same of a drawing. A command that draws has no log to look into: it says the first line of the cause. */
export const unforeseenDrawing = (cause: Error): DrawingError =>
  new DrawingError(`A cover could not be drawn: ${seeLog}`, {
    cause,
    detail: `A cover could not be drawn (${firstLine(cause)}): change its texts or its settings, and draw it again.`
  })

/** Whether the log has to have it, with what it is about. */
export const isForLog = (error: unknown): boolean => error instanceof UnforeseenError || error instanceof DrawingError

const machinePath = /(?:file:\/\/)?(?<![\w.])(?:\/[\w.@+-]+){2,}/g

function firstLine(cause: Error): string {
  const [line = ''] = messageOf(cause).split('\n', 1)
  return line
    .replace(/^\w*Error: /, '')
    .replaceAll(machinePath, '…')
    .replace(/\.$/, '')
    .slice(0, 200)
}
