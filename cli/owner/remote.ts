import { createConnection, type Socket } from 'node:net'
import type { Progress, Terminal } from '../../core/contract/command.ts'
import { ConflictError, UnavailableError } from '../../core/contract/errors.ts'
import type { CliSession } from '../framework/run.ts'
import { interruptedStatus } from '../framework/run.ts'
import { type CallerFrame, createFrameReader, encodeFrame, type Hello, type OwnerFrame, protocol } from './protocol.ts'
import { checkSocketFolder, socketPath } from './socket-path.ts'

/** The owner answers at once; a process that does not is not one. */
const helloTimeoutMs = 10_000

type Stdin = AsyncIterable<Uint8Array>

/** The owner of the embedded database, ready to run a command. */
export interface Owner {
  readonly pid: number
  /** Where its API listens. */
  readonly url: string
  /** Runs the command line over there with this process's terminal. Returns its exit status. */
  run(argv: readonly string[], session: CliSession): Promise<number>
  close(): void
}

/**
 * Connects to the process that owns a home; null when none listens.
 * @throws ConflictError when that process is of another version.
 */
export async function connectOwner(options: { home: string; version: string; stdin?: Stdin }): Promise<Owner | null> {
  checkSocketFolder(options.home)
  const socket = await connect(socketPath(options.home))
  if (socket === null) return null
  const frames = createInbox(socket)
  try {
    checkHello(await frames.hello, options)
  } catch (error) {
    socket.destroy()
    throw error
  }
  const { pid, url } = await frames.hello
  return {
    pid,
    url,
    run: (argv, session) => runThere(socket, frames, argv, session, options.stdin ?? process.stdin),
    close: () => socket.destroy()
  }
}

function connect(file: string): Promise<Socket | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket | null>()
  const socket = createConnection(file)
  socket.once('connect', () => resolve(socket))
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null)
    else reject(error)
  })
  return promise
}

interface Inbox {
  hello: Promise<Hello>
  /** Called with each frame after the first. */
  onFrame: (frame: OwnerFrame) => void
  onClose: () => void
}

function createInbox(socket: Socket): Inbox {
  const hello = Promise.withResolvers<Hello>()
  const inbox: Inbox = { hello: hello.promise, onFrame: () => {}, onClose: () => {} }
  const refuse = () =>
    hello.reject(
      new UnavailableError('The process that owns the home does not answer as a galley server does', {
        remedy: 'restart it'
      })
    )
  const timer = setTimeout(refuse, helloTimeoutMs)
  const read = createFrameReader<OwnerFrame>(frame => {
    if (frame.type === 'hello') hello.resolve(frame)
    else inbox.onFrame(frame)
  })
  socket.on('data', chunk => {
    try {
      read(chunk)
    } catch {
      refuse()
      socket.destroy()
    }
  })
  socket.on('error', () => {}) // 'close' follows
  socket.on('close', () => {
    refuse()
    inbox.onClose()
  })
  hello.promise.then(
    () => clearTimeout(timer),
    () => clearTimeout(timer)
  )
  return inbox
}

function checkHello(hello: Hello, { home, version }: { home: string; version: string }): void {
  if (hello.protocol === protocol && hello.version === version) return
  throw new ConflictError(
    `The server that owns ${home} (process ${hello.pid}) is galley ${hello.version}, this is ${version}`,
    'CONFLICT',
    { remedy: "restart it with this version, or use that one's command" }
  )
}

async function runThere(
  socket: Socket,
  inbox: Inbox,
  argv: readonly string[],
  session: CliSession,
  stdin: Stdin
): Promise<number> {
  const { terminal, debug } = session
  const { isInteractive, columns, hasColour } = terminal
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const send = (frame: CallerFrame) => void (socket.writable && socket.write(encodeFrame(frame)))
  inbox.onClose = () =>
    reject(
      new UnavailableError('The server stopped before the command had ended. Check what it did, and run it again.')
    )
  const show = createProgressView(terminal)
  inbox.onFrame = frame => {
    if (frame.type === 'stdout') session.print(frame.text)
    else if (frame.type === 'stderr') terminal.note(frame.text)
    else if (frame.type === 'need_stdin') sendStdin(stdin, socket).catch(reject)
    else if (frame.type === 'ask')
      terminal.ask(frame.question, { isSecret: frame.is_secret }).then(text => send({ type: 'answer', text }), reject)
    else if (frame.type === 'exit') resolve(frame.status)
    else show(frame)
  }
  terminal.signal.addEventListener('abort', () => resolve(interruptedStatus), { once: true })
  session.closed?.addEventListener('abort', () => send({ type: 'stdout_closed' }), { once: true })
  send({ type: 'run', argv: [...argv], cwd: terminal.cwd, debug, terminal: { isInteractive, columns, hasColour } })
  try {
    return await promise
  } finally {
    // Closing cancels a command that still runs.
    socket.destroy()
  }
}

/** Draws the owner's progress here, where the terminal's width and kind are known. */
function createProgressView(terminal: Terminal): (frame: OwnerFrame) => void {
  const shown = new Map<number, Progress>()
  return frame => {
    if (frame.type === 'progress') {
      const progress = shown.get(frame.id) ?? terminal.progress(frame.label)
      shown.set(frame.id, progress)
      progress.update(frame.done, frame.total)
    } else if (frame.type === 'progress_end') {
      shown.get(frame.id)?.end()
      shown.delete(frame.id)
    }
  }
}

/** Until its end, or until the command has ended: it may have refused what is more than it takes. */
async function sendStdin(stdin: Stdin, socket: Socket): Promise<void> {
  const send = (frame: CallerFrame) => socket.writable && socket.write(encodeFrame(frame))
  for await (const chunk of stdin) {
    if (socket.destroyed) return
    send({ type: 'stdin', data: Buffer.from(chunk).toString('base64') })
  }
  send({ type: 'stdin_end' })
}
