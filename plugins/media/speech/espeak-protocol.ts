export interface EspeakRequest {
  id: number
  text: string
  /** Names to try, the best one first. */
  voices: readonly string[]
}

export type EspeakAnswer =
  | { kind: 'spoken'; id: number; wav: Uint8Array }
  /** The package is not installed. */
  | { kind: 'missing'; id: number }
  /** It has none of the voices. */
  | { kind: 'voiceless'; id: number; voices: readonly string[] }
  | { kind: 'failed'; id: number; reason: string }
