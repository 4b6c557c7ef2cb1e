/** −74 dB: noise of an engine that says nothing. */
const inaudible = 0.0002

export const isAudible = (samples: Float32Array): boolean => samples.some(sample => Math.abs(sample) > inaudible)
