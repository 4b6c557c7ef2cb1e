export interface VoiceRequest {
  text: string
  /** Path of the WAV that is written. */
  file: string
  /** Of a model with several. */
  speaker: number
}
