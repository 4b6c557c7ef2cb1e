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
  callMs: 30_000,
  memoryMb: 600
}
