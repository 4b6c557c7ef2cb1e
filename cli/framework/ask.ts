import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { sanitizeText } from './sanitize.ts'

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Asks on stderr and returns the next line of stdin, trimmed; null at its end. Rejects when `signal` aborts. A keyboard's
 * secret is not shown as it is typed.
 */
export async function askLine(
  question: string,
  signal: AbortSignal,
  { isSecret = false }: { isSecret?: boolean } = {}
): Promise<string | null> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  process.stderr.write(`${sanitizeText(question)} `)
  const isHidden = isSecret && process.stdin.isTTY
  // But for a secret not `terminal`: the keyboard stays the terminal's own, so that Ctrl-C reaches the process as a signal.
  const hiding = isHidden ? { output: nowhere(), historySize: 0 } : {}
  const lines = createInterface({ input: process.stdin, terminal: isHidden, ...hiding })
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const interrupt = () => {
    process.stderr.write('\n')
    reject(signal.reason)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  lines.once('line', line => resolve(line.trim()))
  lines.once('close', () => resolve(null))
  try {
    const answer = await promise
    if (answer === null || isHidden) process.stderr.write('\n')
    return answer
  } finally {
    signal.removeEventListener('abort', interrupt)
    lines.close()
    process.stdin.pause()
  }
}
