/** How long a caller wants to wait, by `Prefer` of RFC 7240: at most `maxMs`, which is also for one who says nothing. */
export function preferredWaitMs(header: string | string[] | undefined, maxMs: number): number {
  const preferences = [header ?? []].flat().join(',').toLowerCase().split(',')
  const named = new Map(preferences.map(each => [each.split(/[=;]/)[0]?.trim(), each]))
  if (!named.has('respond-async')) return maxMs
  const seconds = /^\s*wait\s*=\s*"?(\d{1,4})"?\s*(;|$)/.exec(named.get('wait') ?? '')?.[1]
  return Math.min(maxMs, Number(seconds ?? 0) * 1000)
}
