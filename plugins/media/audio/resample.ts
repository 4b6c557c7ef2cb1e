/** Zero crossings of the filter at each side: −80 dB at half of the lower rate. */
const halfWidth = 16
/** Positions between two samples that the filter is known for; more is not heard. */
const phases = 256

/** The same sound at another rate, by a windowed sinc. The length is that of the sound, to the nearest sample. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples
  const step = from / to
  // To a lower rate, what it cannot hold is filtered away.
  const filter = filterOf(Math.min(1, to / from))
  const output = new Float32Array(Math.round(samples.length / step))
  for (let index = 0; index < output.length; index++) {
    const position = index * step
    const first = Math.floor(position)
    output[index] = filterAt(samples, first, filter, Math.round((position - first) * phases))
  }
  return output
}

interface Filter {
  /** Samples at each side. */
  reach: number
  /** One row for each phase. */
  taps: Float32Array
}

/** The pieces of an episode have one rate. */
let latest: { cutoff: number; filter: Filter } | undefined

function filterOf(cutoff: number): Filter {
  if (latest?.cutoff === cutoff) return latest.filter
  const reach = Math.ceil(halfWidth / cutoff)
  const taps = new Float32Array((phases + 1) * reach * 2)
  for (let phase = 0; phase <= phases; phase++) {
    for (let tap = 0; tap < reach * 2; tap++) {
      const distance = (tap - reach + 1 - phase / phases) * cutoff
      taps[phase * reach * 2 + tap] = cutoff * sinc(distance) * blackman(distance / halfWidth)
    }
  }
  latest = { cutoff, filter: { reach, taps } }
  return latest.filter
}

function filterAt(samples: Float32Array, first: number, { reach, taps }: Filter, phase: number): number {
  const row = phase * reach * 2
  let sum = 0
  for (let tap = 0; tap < reach * 2; tap++) sum += (samples[first - reach + 1 + tap] ?? 0) * (taps[row + tap] ?? 0)
  return sum
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const blackman = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)

/** Points between two samples at which the peak is looked for (ITU-R BS.1770-5, annex 2). */
const oversampling = 4
const peakFilter = filterOf(1)

/** The highest absolute value between sample `at` and the next one, both included. */
export function truePeakAt(samples: Float32Array, at: number): number {
  let peak = Math.max(Math.abs(samples[at] ?? 0), Math.abs(samples[at + 1] ?? 0))
  for (let point = 1; point < oversampling; point++)
    peak = Math.max(peak, Math.abs(filterAt(samples, at, peakFilter, (point * phases) / oversampling)))
  return peak
}
