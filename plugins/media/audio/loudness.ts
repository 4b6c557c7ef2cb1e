/** Measures the loudness of one channel as ITU-R BS.1770-5 does. */
export interface LoudnessMeter {
  add(samples: Float32Array): void
  /** LUFS of everything so far, gated; −Infinity for silence and for less than 0.4 s. */
  integrated(): number
}

const hopsPerSecond = 10
/** A block has 400 ms and begins every 100 ms. */
const hopsPerBlock = 4
const absoluteGate = -70
const relativeGate = -10

export function createLoudnessMeter(sampleRate: number): LoudnessMeter {
  const filters = [shelf(sampleRate), highPass(sampleRate)].map(createBiquad)
  const hopLength = Math.round(sampleRate / hopsPerSecond)
  /** The mean square of each hop: 36,000 numbers an hour. */
  const hops: number[] = []
  let sum = 0
  let count = 0
  const [shelve = identity, pass = identity] = filters
  return {
    add(samples) {
      for (const sample of samples) {
        sum += pass(shelve(sample)) ** 2
        if (++count < hopLength) continue
        hops.push(sum / hopLength)
        sum = 0
        count = 0
      }
    },
    integrated: () => gated(blocksOf(hops))
  }
}

const identity = (sample: number): number => sample

const blocksOf = (hops: readonly number[]): number[] =>
  hops
    .slice(hopsPerBlock - 1)
    .map((_, at) => hops.slice(at, at + hopsPerBlock).reduce((sum, hop) => sum + hop, 0) / hopsPerBlock)

const loudnessOf = (meanSquare: number): number => -0.691 + 10 * Math.log10(meanSquare)
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function gated(blocks: readonly number[]): number {
  const audible = blocks.filter(block => loudnessOf(block) > absoluteGate)
  if (audible.length === 0) return Number.NEGATIVE_INFINITY
  const threshold = loudnessOf(meanOf(audible)) + relativeGate
  return loudnessOf(meanOf(audible.filter(block => loudnessOf(block) > threshold)))
}

interface Coefficients {
  b: readonly [number, number, number]
  a: readonly [number, number]
}

function createBiquad({ b: [b0, b1, b2], a: [a1, a2] }: Coefficients): (sample: number) => number {
  let [z1, z2] = [0, 0]
  return sample => {
    const output = b0 * sample + z1
    z1 = b1 * sample - a1 * output + z2
    z2 = b2 * sample - a2 * output
    return output
  }
}

// BS.1770 gives both filters for 48 kHz. These are the analogue ones behind them, for any rate.

/** The head's effect: +4 dB above 1.7 kHz. */
function shelf(sampleRate: number): Coefficients {
  const [frequency, gain, q] = [1681.974450955533, 3.999843853973347, 0.7071752369554196]
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
  const [frequency, q] = [38.13547087602444, 0.5003270373238773]
  const k = Math.tan((Math.PI * frequency) / sampleRate)
  const norm = 1 + k / q + k * k
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / q + k * k) / norm] }
}
