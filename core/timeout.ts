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
