import { errorCode, UnavailableError } from '#core'

/** Work that writes to a folder. @throws UnavailableError where that cannot be done */
export async function guardWriting<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw cannotBeWritten(folder, errorCode(error), error)
  }
}

/** The disk is full, or the folder was taken away. */
export const cannotBeWritten = (folder: string, code: unknown, cause: unknown): UnavailableError =>
  new UnavailableError(
    `The work folder ${folder} cannot be used (${code}): make room on its disk, or check its permissions.`,
    { cause }
  )
