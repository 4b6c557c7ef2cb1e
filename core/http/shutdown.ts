import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 50

/**
 * Lets `app.close()` end when the last request has been answered: `server.close` waits for kept-alive connections, which
 * clients hold open for minutes. Connections become idle one by one, so they are closed again and again until none is left.
 */
export function addShutdown(app: FastifyInstance, isDraining: () => boolean): void {
  let isClosing = false
  app.addHook('preClose', done => {
    isClosing = true
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs)
    app.server.closeIdleConnections()
    app.server.once('close', () => clearInterval(sweep))
    // An app that never listened has no server to wait for.
    if (!app.server.listening) clearInterval(sweep)
    done()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (isClosing || isDraining()) reply.header('connection', 'close')
    done()
  })
}
