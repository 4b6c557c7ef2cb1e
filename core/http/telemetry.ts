import type { Metric } from '../contract/metric.ts'

/** A metric, and the plugin that brings it. */
export interface PluginMetric extends Metric {
  readonly plugin: string
}

/** Called after each response. Without `seconds` it was a cached one that Fastify never saw. */
export type ResponseObserver = (method: string, route: string, status: number, seconds?: number) => void

export interface ResponseCacheStats {
  readonly hits: number
  /** Requests to routes that cache their responses, when there was none. */
  readonly misses: number
  readonly entries: number
  readonly bytes: number
}

/** What the app does, for a plugin that publishes it: `app.telemetry`. */
export interface Telemetry {
  /** Those of all plugins. */
  readonly metrics: readonly PluginMetric[]
  responseCache(): ResponseCacheStats
  onResponse(observe: ResponseObserver): void
}

declare module 'fastify' {
  interface FastifyInstance {
    telemetry: Telemetry
  }
}

/** `responded` calls every observer. */
export function createTelemetry(
  sources: Pick<Telemetry, 'metrics' | 'responseCache'>
): Telemetry & { readonly responded: ResponseObserver } {
  const observers: ResponseObserver[] = []
  return {
    ...sources,
    onResponse: observe => void observers.push(observe),
    responded(method, route, status, seconds) {
      for (const observe of observers) observe(method, route, status, seconds)
    }
  }
}
