/** What the process that runs a voice is started with, as its arguments. */
export interface VoiceStart {
  folder: string
  /** The package that runs it. */
  runtime: string
}

export interface VoiceRequest {
  id: number
  text: string
  /** Of a model with several. */
  speaker: number
}

export type VoiceAnswer =
  | { kind: 'spoken'; id: number; wav: Uint8Array }
  /** The package is not installed. */
  | { kind: 'missing'; id: number }
  | { kind: 'failed'; id: number; reason: string }
