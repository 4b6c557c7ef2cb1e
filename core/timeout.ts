/** Settles with the work, or after `ms` with what `atLimit` returns or throws. The work may go on behind. */
export async function settleWithin<T, Late>(ms: number, work: Promise<T>, atLimit: () => Late): Promise<T | Late> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  try {
    return await Promise.race([work, limit.promise.then(atLimit)])
  } finally {
    clearTimeout(timer)
  }
}

/** Settles with the work, or with what `atAbort` returns or throws once the signal is aborted. The work may go on behind. */
export async function settleUnlessAborted<T, Late>(
  signal: AbortSignal,
  work: Promise<T>,
  atAbort: () => Late
): Promise<T | Late> {
  const aborted = Promise.withResolvers<void>()
  const onAbort = () => aborted.resolve()
  // Of one that was aborted before, no event tells.
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise.then(atAbort)])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
