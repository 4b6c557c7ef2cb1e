import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Drops every connection and refuses new ones. */
  down(): Promise<void>
  up(): Promise<void>
}

/** Stands between a client and a server on loopback, so that a test can take the server away and bring it back. */
export async function openTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer(inbound => {
    const outbound = connect(port, host)
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound]
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
    }
  })
  const listen = (at: number) => new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The proxy has no port.')
  return {
    port: address.port,
    down: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    up: () => listen(address.port)
  }
}
