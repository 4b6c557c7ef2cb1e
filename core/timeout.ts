/** Settles with the work, or after `ms` with what `atLimit` returns or throws. The work may go on behind. */
export async function withTimeout<T, Late>(ms: number, work: Promise<T>, onTimeout: () => Late): Promise<T | Late> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  try {
    return await Promise.race([work, limit.promise.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

/** Settles with the work, or with what `atAbort` returns or throws once the signal is aborted. The work may go on behind. */
export async function withAbort<T, Late>(
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
