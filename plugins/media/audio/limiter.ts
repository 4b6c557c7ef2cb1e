import { truePeakAt } from './resample.ts'

/** The gain goes down so long before a peak, and up again so long after it. */
const lookaheadSeconds = 0.005

/** Amplifies samples by `gain`, and less around what would be above `ceiling` between or at samples. Both are factors. */
export function amplify(samples: Float32Array, gain: number, ceiling: number, sampleRate: number): Float32Array {
  const output = new Float32Array(samples.length)
  const reach = Math.ceil(lookaheadSeconds * sampleRate)
  const needed = neededGains(samples, gain, ceiling)
  if (needed === null) {
    for (let at = 0; at < samples.length; at++) output[at] = (samples[at] ?? 0) * gain
    return output
  }
  const smooth = smoothed(lowest(needed, reach), reach)
  for (let at = 0; at < samples.length; at++) output[at] = (samples[at] ?? 0) * gain * (smooth[at] ?? 1)
  return output
}

/** By how much each sample is to be lowered; null where none is. */
function neededGains(samples: Float32Array, gain: number, ceiling: number): Float32Array | null {
  let needed: Float32Array | null = null
  for (let at = 0; at < samples.length; at++) {
    // Between samples there is rarely twice of what is at them: only there it is worth a look.
    if (Math.max(Math.abs(samples[at] ?? 0), Math.abs(samples[at + 1] ?? 0)) * gain < ceiling / 2) continue
    const peak = truePeakAt(samples, at) * gain
    if (peak <= ceiling) continue
    needed ??= new Float32Array(samples.length).fill(1)
    for (const each of [at, at + 1])
      if (each < needed.length) needed[each] = Math.min(needed[each] ?? 1, ceiling / peak)
  }
  return needed
}

/** The lowest value within `reach` of each one, in linear time: a queue of candidates, lowest first. */
function lowest(values: Float32Array, reach: number): Float32Array {
  const output = new Float32Array(values.length)
  const queue = new Int32Array(values.length)
  let head = 0
  let tail = 0
  for (let next = 0; next < values.length + reach; next++) {
    if (next < values.length) {
      while (tail > head && (values[queue[tail - 1] ?? 0] ?? 1) >= (values[next] ?? 1)) tail--
      queue[tail++] = next
    }
    const at = next - reach
    if (at < 0) continue
    while ((queue[head] ?? 0) < at - reach) head++
    output[at] = values[queue[head] ?? 0] ?? 1
  }
  return output
}

/** The mean within half of `reach`: of values that were lowest within `reach`, none is above what was needed. */
function smoothed(values: Float32Array, reach: number): Float32Array {
  const half = Math.floor(reach / 2)
  const output = new Float32Array(values.length)
  const valueAt = (at: number) => values[Math.max(0, Math.min(values.length - 1, at))] ?? 1
  let sum = 0
  for (let at = -half; at <= half; at++) sum += valueAt(at)
  for (let at = 0; at < values.length; at++) {
    output[at] = sum / (2 * half + 1)
    sum += valueAt(at + half + 1) - valueAt(at - half)
  }
  return output
}
