// What the processes of voices answer: the sound goes to a file, so that none of it passes the process that serves.
import { writeFileSync } from 'node:fs'

/** `unwritable` has the code of the system, such as ENOSPC. `voiceless`: the engine has none of the voices. */
export type VoiceAnswer = { kind: 'written' | 'voiceless' } | { kind: 'unwritable'; code: string }

export function writeAnswer(file: string, wav: Uint8Array): VoiceAnswer {
  try {
    writeFileSync(file, wav, { mode: 0o600 })
    return { kind: 'written' }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { kind: 'unwritable', code: String(error.code) }
  }
}
