import path from 'node:path'
import { cannotBeWritten } from '../work-fault.ts'
import type { VoiceAnswer } from './voice-answer.ts'

/** @throws UnavailableError for an answer that says that the file cannot be written */
export function requireWritten(answer: VoiceAnswer, file: string): void {
  if (answer.kind === 'unwritable') throw cannotBeWritten(path.dirname(file), answer.code, undefined)
}
