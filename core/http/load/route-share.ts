import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import type { RouteCost } from '../../contract/access.ts'
import { inLane, inLaneSerially, type Lane } from '../../db/lanes.ts'
import { requestSignal } from '../request-signal.ts'
import { type Admission, type AdmissionLimits, createAdmission } from './admission.ts'

/** Sees to it that no route takes more of the service than its share. */
export interface RouteShare {
  /** Makes a route's handler run within it. */
  applyTo(route: RouteOptions): void
}

/** More at once would hold each other up: what they cost is the time of two cores and a few connections. */
const limits: Readonly<Record<Exclude<RouteCost, 'light'>, AdmissionLimits>> = {
  heavy: { maxRunning: 3, maxWaiting: 200, maxWaitMs: 1_000 },
  query: { maxRunning: 6, maxWaiting: 100, maxWaitMs: 600 }
}

export function createRouteShare(): RouteShare {
  const admissions = { heavy: createAdmission(limits.heavy), query: createAdmission(limits.query) }
  return {
    applyTo(route) {
      const { handler, config } = route
      const cost = config?.cost
      if (cost === 'heavy' || cost === 'query') {
        route.handler = admitted(handler, admissions[cost], cost === 'heavy' ? 'reads' : 'queries')
      } else if (cost === 'light' || isRead(route)) {
        route.handler = function (...args) {
          return inLane('reads', () => handler.apply(this, args))
        }
      }
    }
  }
}

const isRead = ({ method }: RouteOptions): boolean => [method].flat().every(each => each === 'GET' || each === 'HEAD')

function admitted(handler: RouteHandlerMethod, admission: Admission, lane: Lane): RouteHandlerMethod {
  return async function (request, reply) {
    const leave = await admission.enter(requestSignal(request))
    try {
      return await inLaneSerially(lane, async () => handler.call(this, request, reply))
    } finally {
      leave()
    }
  }
}
