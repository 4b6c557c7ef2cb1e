export interface VoiceRequest {
  text: string
  /** Of a model with several. */
  speaker: number
}
