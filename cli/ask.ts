import { createInterface } from 'node:readline'

/** Asks on stderr and answers the next line of stdin, trimmed; null at its end. Rejects when `signal` aborts. */
export async function askLine(question: string, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  process.stderr.write(`${question} `)
  // Not `terminal`: the keyboard stays the terminal's own, so that Ctrl-C reaches the process as a signal.
  const lines = createInterface({ input: process.stdin, terminal: false })
  const interrupt = () => {
    process.stderr.write('\n')
    reject(signal.reason)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  lines.once('line', line => resolve(line.trim()))
  lines.once('close', () => resolve(null))
  try {
    const answer = await promise
    if (answer === null) process.stderr.write('\n')
    return answer
  } finally {
    signal.removeEventListener('abort', interrupt)
    lines.close()
    process.stdin.pause()
  }
}
