import type { Db, Metric, Telemetry } from '#core'

/** What the service tells of itself, beside its responses. */
export function serviceMetrics({ responseCache }: Telemetry, db: Pick<Db, 'pool'>): Metric[] {
  const metric = (type: Metric['type'], name: string, help: string, value: () => number): Metric => ({
    name,
    help,
    type,
    read: async () => [{ value: value() }]
  })
  return [
    metric(
      'counter',
      'http_cache_hits_total',
      'Requests answered from the response cache.',
      () => responseCache().hits
    ),
    metric(
      'counter',
      'http_cache_misses_total',
      'Requests of cached routes that had no cached response.',
      () => responseCache().misses
    ),
    metric('gauge', 'http_cache_bytes', 'Memory of the response cache.', () => responseCache().bytes),
    metric('gauge', 'http_cache_entries', 'Cached responses.', () => responseCache().entries),
    metric('gauge', 'db_pool_size', 'Database connections open.', () => db.pool().size),
    metric('gauge', 'db_pool_idle', 'Database connections open and unused.', () => db.pool().idle)
  ]
}
