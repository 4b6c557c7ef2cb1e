/** One value of a metric; of a histogram its parts, with `le` among the labels of a bucket. */
export interface Sample {
  readonly part?: 'bucket' | 'sum' | 'count'
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * A figure of `GET /metrics`, read when it is asked for. One that cannot be read, or not within 2 s, is left out of that
 * answer and counted in `metrics_failed_total`. A sample whose label or value Prometheus does not take is left out, too.
 */
export interface Metric {
  /** As Prometheus names it, with its unit: `posts_overdue`, `posts_publish_lateness_seconds`. */
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  read(): Promise<readonly Sample[]>
}
