/** A sine of 440 Hz, −1 to 1. */
export const tone = (seconds: number, sampleRate: number, amplitude = 0.3): number[] =>
  Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, at) => amplitude * Math.sin((2 * Math.PI * 440 * at) / sampleRate)
  )

export interface WavOptions {
  sampleRate?: number
  channels?: number
  bits?: number
  /** 1: whole numbers, 3: floating point. */
  format?: number
  /** What the header says of the length. */
  claimed?: number
}

/** A WAV whose channels are all the same. */
export function makeWav(samples: readonly number[], options: WavOptions = {}): Buffer {
  const { sampleRate = 22_050, channels = 1, bits = 16, format = 1 } = options
  const bytes = bits / 8
  const data = Buffer.alloc(samples.length * channels * bytes)
  samples.forEach((sample, at) => {
    for (let channel = 0; channel < channels; channel++)
      writeSample(data, (at * channels + channel) * bytes, sample, { bits, format })
  })
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(0xffff_ffff, 36 + (options.claimed ?? data.length)), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(format, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * channels * bytes, 28)
  header.writeUInt16LE(channels * bytes, 32)
  header.writeUInt16LE(bits, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(options.claimed ?? data.length, 40)
  return Buffer.concat([header, data])
}

function writeSample(data: Buffer, at: number, sample: number, { bits, format }: { bits: number; format: number }) {
  if (format === 3) return bits === 32 ? data.writeFloatLE(sample, at) : data.writeDoubleLE(sample, at)
  if (bits === 8) return data.writeUInt8(Math.round(128 + sample * 127), at)
  return data.writeIntLE(Math.round(sample * (2 ** (bits - 1) - 1)), at, bits / 8)
}
