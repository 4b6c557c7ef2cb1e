import { Counter, type Registry } from 'prom-client'

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const durationName = 'http_request_duration_seconds'
const labelNames = ['method', 'route', 'status'] as const

interface Labels {
  method: string
  route: string
  status: string
}

interface Count {
  readonly labels: Labels
  /** Responses, cached ones included. */
  responses: number
  /** How many took up to as long as the bucket, and one more for the slowest; empty while all came from the cache. */
  taken: number[]
  timed: number
  seconds: number
}

/** Counts responses by method, route and status as plain numbers: a labelled metric costs a tenth of a cached response. */
export interface ResponseCounts {
  /** Counts a response; without `seconds` it was a cached one. */
  add(method: string, route: string, status: number, seconds?: number): void
}

export function createResponseCounts(registry: Registry): ResponseCounts {
  const counts = new Map<string, Count>()
  addRequests(registry, counts)
  registry.registerMetric(durationsOf(counts) as never)
  return {
    add(method, route, status, seconds) {
      const digit = Math.floor(status / 100)
      const count = countOf(counts, method, route, digit)
      count.responses += 1
      if (seconds !== undefined) time(count, seconds)
    }
  }
}

function countOf(counts: Map<string, Count>, method: string, route: string, digit: number): Count {
  const key = method + digit + route
  const known = counts.get(key)
  if (known !== undefined) return known
  const fresh = { labels: { method, route, status: `${digit}xx` }, responses: 0, taken: [], timed: 0, seconds: 0 }
  counts.set(key, fresh)
  return fresh
}

function time(count: Count, seconds: number): void {
  const at = buckets.findIndex(bound => seconds <= bound)
  const bucket = at === -1 ? buckets.length : at
  count.taken[bucket] = (count.taken[bucket] ?? 0) + 1
  count.timed += 1
  count.seconds += seconds
}

function addRequests(registry: Registry, counts: ReadonlyMap<string, Count>): void {
  new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, from the response cache included.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, responses } of counts.values()) this.inc({ ...labels }, responses)
    }
  })
}

/** A histogram as the registry reads one. The library's own can only be filled by one observation after the other. */
function durationsOf(counts: ReadonlyMap<string, Count>) {
  return {
    name: durationName,
    get: async () => ({
      name: durationName,
      help: 'Time to answer, of requests that were not answered from the response cache.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...counts.values()].flatMap(count => (count.timed === 0 ? [] : linesOf(count)))
    }),
    reset: () => {}
  }
}

function linesOf({ labels, taken, timed, seconds }: Count) {
  let upTo = 0
  const lines = [...buckets, '+Inf'].map((le, at) => {
    upTo += taken[at] ?? 0
    return { labels: { ...labels, le }, value: upTo, metricName: `${durationName}_bucket` }
  })
  return [
    ...lines,
    { labels, value: seconds, metricName: `${durationName}_sum` },
    { labels, value: timed, metricName: `${durationName}_count` }
  ]
}
