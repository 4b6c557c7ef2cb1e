/** Measures the loudness of one channel as ITU-R BS.1770-5 does. */
export interface LoudnessMeter {
  add(samples: Float32Array): void
  /** LUFS of everything so far, gated; −Infinity for silence and for less than 0.4 s. */
  integrated(): number
}

const hopsPerSecond = 10
/** A block has 400 ms and begins every 100 ms. */
const hopsPerBlock = 4
const absoluteThreshold = -70
const relativeThreshold = -10

export function createLoudnessMeter(sampleRate: number): LoudnessMeter {
  const powerOf = createWeighting(sampleRate)
  const hopLength = Math.round(sampleRate / hopsPerSecond)
  /** The mean square of each hop: 36,000 numbers an hour. */
  const hops: number[] = []
  let sum = 0
  let count = 0
  return {
    add(samples) {
      for (let from = 0, to = 0; from < samples.length; from = to) {
        to = Math.min(samples.length, from + hopLength - count)
        sum += powerOf(samples, from, to)
        count += to - from
        if (count < hopLength) return
        hops.push(sum / hopLength)
        sum = 0
        count = 0
      }
    },
    integrated: () => gated(blocksOf(hops))
  }
}

const blocksOf = (hops: readonly number[]): number[] =>
  hops
    .slice(hopsPerBlock - 1)
    .map((_, at) => hops.slice(at, at + hopsPerBlock).reduce((sum, hop) => sum + hop, 0) / hopsPerBlock)

const loudnessOf = (meanSquare: number): number => -0.691 + 10 * Math.log10(meanSquare)
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function gated(blocks: readonly number[]): number {
  const audible = blocks.filter(block => loudnessOf(block) > absoluteThreshold)
  if (audible.length === 0) return Number.NEGATIVE_INFINITY
  const threshold = loudnessOf(meanOf(audible)) + relativeThreshold
  return loudnessOf(meanOf(audible.filter(block => loudnessOf(block) > threshold)))
}

interface Coefficients {
  b: readonly [number, number, number]
  a: readonly [number, number]
}

/**
 * The sum of squares of a part of the samples, as the ear weights them. Parts come in their order. Everything is a local
 * variable within the loop: an hour has 80 million samples, and takes a quarter of the time so.
 */
function createWeighting(sampleRate: number): (samples: Float32Array, from: number, to: number) => number {
  const first = shelf(sampleRate)
  const second = highPass(sampleRate)
  const state = new Float64Array(4)
  return (samples, from, to) => {
    const [b0, b1, b2] = first.b
    const [a1, a2] = first.a
    const [d0, d1, d2] = second.b
    const [c1, c2] = second.a
    let [w1 = 0, w2 = 0, z1 = 0, z2 = 0] = state
    let sum = 0
    for (let at = from; at < to; at++) {
      const sample = samples[at] ?? 0
      const shelved = b0 * sample + w1
      w1 = b1 * sample - a1 * shelved + w2
      w2 = b2 * sample - a2 * shelved
      const passed = d0 * shelved + z1
      z1 = d1 * shelved - c1 * passed + z2
      z2 = d2 * shelved - c2 * passed
      sum += passed * passed
    }
    state.set([w1, w2, z1, z2])
    return sum
  }
}

// BS.1770 gives both filters for 48 kHz. These are the analogue ones behind them, for any rate.

/** The head's effect: +4 dB above 1.7 kHz. */
function shelf(sampleRate: number): Coefficients {
  const frequency = 1681.974450955533
  const gain = 3.999843853973347
  const q = 0.7071752369554196
  const k = Math.tan((Math.PI * frequency) / sampleRate)
  const high = 10 ** (gain / 20)
  const band = high ** 0.4996667741545416
  const norm = 1 + k / q + k * k
  return {
    b: [(high + (band * k) / q + k * k) / norm, (2 * (k * k - high)) / norm, (high - (band * k) / q + k * k) / norm],
    a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm]
  }
}

/** Low tones count less. */
function highPass(sampleRate: number): Coefficients {
  const frequency = 38.13547087602444
  const q = 0.5003270373238773
  const k = Math.tan((Math.PI * frequency) / sampleRate)
  const norm = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm] }
}
