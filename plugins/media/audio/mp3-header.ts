/** A constant bit rate: every second has the same number of bytes, and a player finds any moment exactly. */
export interface Mp3Format {
  sampleRate: (typeof rates)[number]
  kilobits: 64 | 96
}

const rates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const

/** The format for speech of a sample rate: its own where MP3 has it, else the next higher one. */
export function mp3FormatFor(sampleRate: number): Mp3Format {
  const rate = rates.find(each => each >= sampleRate) ?? 48_000
  return { sampleRate: rate, kilobits: rate > 24_000 ? 96 : 64 }
}

/** Half of the rates belong to MPEG-2, whose frames are half as long. */
const isMpeg2 = ({ sampleRate }: Mp3Format): boolean => sampleRate <= 24_000
const samplesPerFrame = (format: Mp3Format): number => (isMpeg2(format) ? 576 : 1152)

/** Samples that LAME adds before the first; a decoder adds more. Players drop both when the header says so. */
const encoderDelay = 576
/** All samples that are heard before the sound where no player drops them. */
export const audioDelay = encoderDelay + 529
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
const rateCodes: Readonly<Record<number, number>> = { 44100: 0, 48000: 1, 32000: 2, 22050: 0, 24000: 1, 16000: 2 }

export const frameBytes = (format: Mp3Format): number =>
  Math.floor((samplesPerFrame(format) / 8) * ((format.kilobits * 1000) / format.sampleRate))

/**
 * The frame before the sound that tells players its exact length (Xing's `Info` with LAME's extension), so that no
 * silence of the codec moves the cues. `audioBytes` is what the encoder gave, `samples` what it was given.
 */
export function infoFrame(format: Mp3Format, audioBytes: number, samples: number): Buffer {
  const frame = Buffer.alloc(frameBytes(format))
  const isOlder = isMpeg2(format)
  const bitRate = (isOlder ? bitRates.mpeg2 : bitRates.mpeg1).indexOf(format.kilobits)
  frame.writeUInt32BE(
    ((isOlder ? 0xfff3_0000 : 0xfffb_0000) | (bitRate << 12) | ((rateCodes[format.sampleRate] ?? 0) << 10) | 0xc0) >>> 0
  )
  // After the header and the side information of one channel.
  const info = isOlder ? 13 : 21
  const bytesPerFrame = (samplesPerFrame(format) * format.kilobits * 125) / format.sampleRate
  const frames = Math.round(audioBytes / bytesPerFrame)
  frame.write('Info', info, 'latin1')
  frame.writeUInt32BE(0x0f, info + 4)
  frame.writeUInt32BE(frames, info + 8)
  frame.writeUInt32BE(audioBytes + frame.length, info + 12)
  for (let percent = 0; percent < 100; percent++) frame[info + 16 + percent] = Math.floor((percent * 256) / 100)
  writeLame(frame, info + 120, { audioBytes, padding: frames * samplesPerFrame(format) - samples - encoderDelay })
  return frame
}

function writeLame(frame: Buffer, at: number, { audioBytes, padding }: { audioBytes: number; padding: number }): void {
  const delays = (encoderDelay << 12) | Math.max(0, Math.min(0xfff, padding))
  frame.write('LAME3.100', at, 'latin1')
  // Revision 0, a constant bit rate.
  frame[at + 9] = 0x01
  frame.writeUIntBE(delays, at + 21, 3)
  frame.writeUInt32BE(audioBytes + frame.length, at + 28)
  frame.writeUInt16BE(crc16(frame.subarray(0, at + 34)), at + 34)
}

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  }
  return crc
}
