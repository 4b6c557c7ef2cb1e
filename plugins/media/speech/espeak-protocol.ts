export interface EspeakRequest {
  text: string
  /** Names to try, the best one first. */
  voices: readonly string[]
}
