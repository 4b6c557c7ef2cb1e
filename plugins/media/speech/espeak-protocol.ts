export interface EspeakRequest {
  text: string
  /** Path of the WAV that is written. */
  file: string
  /** Names to try, the best one first. */
  voices: readonly string[]
}
