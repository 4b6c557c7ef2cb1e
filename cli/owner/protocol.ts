import { StringDecoder } from 'node:string_decoder'
import type { TerminalFacts } from '../framework/terminal.ts'

/** Changes whenever a frame does: a process of another protocol is refused before it is sent anything. */
export const protocol = 4

/** The owner's first frame: who it is. */
export interface Hello {
  type: 'hello'
  protocol: number
  version: string
  pid: number
  /** Where its API listens. */
  url: string
}

/** From the caller to the owner. A closed connection cancels the command. */
export type CallerFrame =
  | { type: 'run'; argv: string[]; cwd: string; debug: boolean; terminal: TerminalFacts }
  /** A piece of stdin in base64; sent only after `need_stdin`, so that a command leaves alone what it does not read. */
  | { type: 'stdin'; data: string }
  | { type: 'stdin_end' }
  /** Nobody reads stdout any more. */
  | { type: 'stdout_closed' }
  /** To `ask`; null at the end of the input. */
  | { type: 'answer'; text: string | null }

/** From the owner to the caller. */
export type OwnerFrame =
  | Hello
  | { type: 'need_stdin' }
  /** A question to the person at the caller's terminal; one at a time. */
  | { type: 'ask'; question: string; is_secret: boolean }
  /** Progress under a label; `id` tells several apart. Drawn by the caller, who knows its terminal. */
  | { type: 'progress'; id: number; label: string; done: number; total?: number | undefined }
  | { type: 'progress_end'; id: number }
  /** Text without its last line break. */
  | { type: 'stdout'; text: string }
  | { type: 'stderr'; text: string }
  | { type: 'exit'; status: number }

/** Longest frame taken, in characters. A longer one is not from this program. */
const maxFrameLength = 64 * 1024 * 1024

/** One frame a line: JSON escapes line breaks. */
export const encodeFrame = (frame: CallerFrame | OwnerFrame): string => `${JSON.stringify(frame)}\n`

/**
 * Cuts a stream of bytes into frames.
 * @throws Error when a line is not a frame.
 */
export function createFrameReader<Frame extends { type: string }>(
  onFrame: (frame: Frame) => void
): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let pending: string[] = []
  let size = 0
  return chunk => {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    size += first.length
    if (size > maxFrameLength) throw new Error('a frame is too long')
    pending.push(first)
    for (const part of rest) {
      // Both ends are of one version: `protocol` was compared first.
      onFrame(parseFrame(pending.join('')) as Frame)
      pending = [part]
      size = part.length
    }
  }
}

function parseFrame(line: string): { type: string } {
  const frame: unknown = JSON.parse(line)
  if (typeof frame === 'object' && frame !== null && 'type' in frame && typeof frame.type === 'string')
    return { ...frame, type: frame.type }
  throw new Error('a line is not a frame')
}
