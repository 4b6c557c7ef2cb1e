/** What a picture of anybody may cost. */
export const pictureLimits = {
  maxBytes: 10_485_760,
  /** Width times height; decoded these are 160 MB. */
  maxPixels: 40_000_000,
  maxSidePixels: 16_000,
  /** A larger picture is stored smaller: podcast directories ask for no more. */
  maxStoredSidePixels: 3000,
  /** Of a cover: what is smaller is no picture that was meant to be seen, and has to be blown up. */
  minCoverSidePixels: 200,
  /** Of a processor, where that can be told. */
  callMs: 30_000,
  /** By the clock: on a busy machine others have the processor. */
  wallMs: 120_000,
  memoryMb: 600
}
