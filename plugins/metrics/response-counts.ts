import type { Metric, ResponseObserver, Sample } from '#core'

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Labels = Readonly<Record<'method' | 'route' | 'status', string>>

interface Count {
  readonly labels: Labels
  /** Responses, cached ones included. */
  responses: number
  /** Responses by the first bucket they fit in; the last is for slower ones. Empty while all came from the cache. */
  inBucket: number[]
  timed: number
  seconds: number
}

/** Counts responses by method, route and status as plain numbers: a labelled metric costs a tenth of a cached response. */
interface ResponseCounts {
  readonly add: ResponseObserver
  readonly metrics: readonly Metric[]
}

export function createResponseCounts(): ResponseCounts {
  const counts: Count[] = []
  // One map in another: a key of both texts would have to be made and hashed for each response.
  const byRoute = new Map<string, Map<string, Count[]>>()
  const countOf = (method: string, route: string, digit: number) => {
    const known = byRoute.get(route)?.get(method)?.[digit]
    if (known !== undefined) return known
    const fresh = { labels: { method, route, status: `${digit}xx` }, responses: 0, inBucket: [], timed: 0, seconds: 0 }
    counts.push(fresh)
    const byMethod = byRoute.get(route) ?? new Map<string, Count[]>()
    const byDigit = byMethod.get(method) ?? []
    byDigit[digit] = fresh
    byRoute.set(route, byMethod.set(method, byDigit))
    return fresh
  }
  return {
    add(method, route, status, seconds) {
      const count = countOf(method, route, Math.floor(status / 100))
      count.responses += 1
      if (seconds !== undefined) time(count, seconds)
    },
    metrics: [
      {
        name: 'http_requests_total',
        help: 'Requests answered, from the response cache included.',
        type: 'counter',
        read: async () => counts.map(({ labels, responses }) => ({ labels, value: responses }))
      },
      {
        name: 'http_request_duration_seconds',
        help: 'Time to answer, of requests that were not answered from the response cache.',
        type: 'histogram',
        read: async () => counts.filter(({ timed }) => timed > 0).flatMap(samplesOf)
      }
    ]
  }
}

function time(count: Count, seconds: number): void {
  const at = buckets.findIndex(bound => seconds <= bound)
  const bucket = at === -1 ? buckets.length : at
  count.inBucket[bucket] = (count.inBucket[bucket] ?? 0) + 1
  count.timed += 1
  count.seconds += seconds
}

function samplesOf({ labels, inBucket, timed, seconds }: Count): Sample[] {
  let upTo = 0
  const samples = [...buckets, '+Inf'].map((le, at): Sample => {
    upTo += inBucket[at] ?? 0
    return { part: 'bucket', labels: { ...labels, le: String(le) }, value: upTo }
  })
  return [...samples, { part: 'sum', labels, value: seconds }, { part: 'count', labels, value: timed }]
}
