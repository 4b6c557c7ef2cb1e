import { Duplex } from 'node:stream'
import { joined, type OwnBytes } from './protocol.ts'

/**
 * The socket that pg's client is given: what it writes goes to the embedded database, and what that answers is pushed.
 * pg corks a statement's messages, so that they arrive as one write and cost one round trip.
 */
export class PgliteStream extends Duplex {
  readonly #send: (bytes: OwnBytes) => void

  constructor(send: (bytes: OwnBytes) => void) {
    super()
    this.#send = send
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(joined([chunk]))
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(joined(chunks.map(({ chunk }) => chunk)))
    done()
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
