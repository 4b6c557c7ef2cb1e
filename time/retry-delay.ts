/**
 * How long to wait before the next try, in seconds: doubled with each one, from a second on, up to `maxSeconds`. What the
 * other side asked for (`Retry-After`) comes before that.
 */
export function retryDelaySeconds(
  tries: number,
  { maxSeconds, askedSeconds = null }: { maxSeconds: number; askedSeconds?: number | null }
): number {
  return askedSeconds ?? Math.min(2 ** Math.max(0, tries - 1), maxSeconds)
}
