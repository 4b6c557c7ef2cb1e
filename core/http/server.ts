import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { startSeconds } from '../isolation/deadline.ts'
import { childOnUse, type Log } from '../log.ts'
import { handleClientError, refuseConnect } from './errors/client-errors.ts'
import type { ErrorHandler } from './errors/error-handler.ts'
import { createServer } from './node-http.ts'
import type { RequestLimits } from './rate-limit/rate-limit.ts'
import { hostFault } from './request-faults.ts'
import { requestIdOf } from './request-id.ts'
import type { ResponseCache } from './response-cache/response-cache.ts'
import { countQueued, guardSockets, isQueued, socketLimits } from './sockets.ts'

const bodyLimitBytes = 1_048_576
/** Preview tokens are part of the path. */
const maxParameterLength = 2_000
/** Node's own refusal of a request without Host has no body: a hook refuses it instead. */
const serverOptions = {
  requireHostHeader: false,
  keepAliveTimeout: 72_000,
  requestTimeout: 60_000,
  headersTimeout: 15_000,
  // How often Node looks for those that are late.
  connectionsCheckingInterval: 5_000
}

interface ServerDeps {
  log: Log
  cache: ResponseCache
  limits: RequestLimits
  isTrusted: (address: string) => boolean
  handleError: ErrorHandler
}

/** Fastify on a server that answers from the response cache first. */
export function createFastify({ log, cache, limits, isTrusted, handleError }: ServerDeps): FastifyInstance {
  return fastify<Server, IncomingMessage, ServerResponse, FastifyBaseLogger>({
    loggerInstance: log,
    // Behind the limit on each plugin's routes, which names the plugin.
    pluginTimeout: startSeconds() * 2_000,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: maxParameterLength },
    trustProxy: isTrusted,
    // Draining, we answer what still arrives and close its connection.
    return503OnClosing: false,
    childLoggerFactory: (_parent, bindings) => childOnUse(log, bindings),
    // They pass no hook: what cannot be read counts here.
    frameworkErrors: (error, request, reply) => handleError(limits.count(request, reply) ?? error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (limits.countMalformed(socket)) socket.destroy()
      else handleClientError(error, socket)
    },
    serverFactory: handler => {
      const server = createServer(serverOptions, (request, response) => {
        const isOneTooMany = isQueued(response) && countQueued(request.socket, response)
        const next = () => handler(request, response)
        if (isOneTooMany || hostFault(request) !== undefined) next()
        else cache.respond(request, response, next)
      })
      guardSockets(server, socketLimits)
      // Node would answer 417 without a body.
      return server.on('connect', refuseConnect).on('checkExpectation', handler)
    }
  })
}
