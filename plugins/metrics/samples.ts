import type { Log, PluginMetric, Sample } from '#core'

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Leaves out the samples that would break the whole answer. The first of them is logged. */
export function createSampleFilter({ plugin, name }: PluginMetric, log: Log): (samples: readonly Sample[]) => Sample[] {
  let isReported = false
  const isValid = (sample: Sample): boolean => {
    const fault = faultOf(sample)
    if (fault !== null && !isReported) {
      isReported = true
      log.warn({ plugin, metric: name, fault }, 'a sample of a metric is left out')
    }
    return fault === null
  }
  return samples => samples.filter(isValid)
}

function faultOf({ labels = {}, value }: Sample): string | null {
  if (typeof value !== 'number') return `the value ${String(value).slice(0, 80)} is no number`
  const wrong = Object.keys(labels).find(name => !labelName.test(name))
  return wrong === undefined ? null : `the label ${JSON.stringify(wrong)} is none that Prometheus takes`
}
