/** An error whose stack leads to all that called: of ten frames, which is the usual, a library may fill each. */
export function errorWithWholeStack(message: string): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  try {
    return new Error(message)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
