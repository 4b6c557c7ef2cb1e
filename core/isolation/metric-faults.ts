import type { Metric, Sample } from '../health/metric.ts'
import type { BootProblem } from '../kernel/boot-error.ts'
import type { Log } from '../log.ts'

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Metrics whose names a strict scraper would refuse, and with them the whole answer. */
export const wrongMetrics = (plugin: string, metrics: readonly Metric[]): BootProblem[] =>
  metrics
    .filter(({ name }) => !metricName.test(name))
    .map(({ name }) => ({
      plugin,
      cause: `the name of its metric ${JSON.stringify(name)} is none that Prometheus takes`,
      remedy: 'Use letters, digits, _ and :, and begin with no digit, such as posts_overdue.'
    }))

/** The same metric without the samples that would break the answer; the first of them is logged. */
export function withoutBrokenSamples(metric: Metric, plugin: string, log: Log): Metric {
  let isTold = false
  const isSound = (sample: Sample): boolean => {
    const fault = faultOf(sample)
    if (fault !== null && !isTold) {
      isTold = true
      log.warn({ plugin, metric: metric.name, fault }, 'a sample of a metric is left out')
    }
    return fault === null
  }
  return { ...metric, read: async () => (await metric.read()).filter(isSound) }
}

function faultOf({ labels = {}, value }: Sample): string | null {
  if (typeof value !== 'number') return `the value ${String(value).slice(0, 80)} is no number`
  const wrong = Object.keys(labels).find(name => !labelName.test(name))
  return wrong === undefined ? null : `the label ${JSON.stringify(wrong)} is none that Prometheus takes`
}
