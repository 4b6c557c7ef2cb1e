import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import type { RouteCost } from '../../contract/access.ts'
import { inLane, inLaneSerially, type Lane } from '../../db/lanes.ts'
import type { Serial } from '../../db/serial.ts'
import { requestSignal } from '../request-signal.ts'
import { type Admission, type AdmissionLimits, createAdmission } from './admission.ts'

/** Keeps every route from taking more than its share of the service. */
export interface RouteShare {
  /** Makes a route's handler run within it. */
  applyTo(route: RouteOptions): void
}

/** More at once would hold each other up: what they cost is the time of two cores, and the memory of an answer each. Of `scan` more are let in: searches share their time. */
const limits: Readonly<Record<Exclude<RouteCost, 'light'>, AdmissionLimits>> = {
  heavy: { maxRunning: 12, maxWaiting: 200, maxWaitMs: 1_000 },
  scan: { maxRunning: 64, maxWaiting: 100, maxWaitMs: 600 }
}

/** Of the four connections for reads, heavy ones leave one to the others. Those that ask for the same page share a statement. */
const heavyStatements: AdmissionLimits = { maxRunning: 3, maxWaiting: 1_000, maxWaitMs: 2_000 }

export function createRouteShare(): RouteShare {
  const heavy: Share = {
    lane: 'reads',
    admission: createAdmission(limits.heavy),
    statements: createStatementLimit(createAdmission(heavyStatements))
  }
  const scan: Share = { lane: 'queries', admission: createAdmission(limits.scan) }
  return {
    applyTo(route) {
      const { handler, config } = route
      const cost = config?.cost
      if (cost === 'heavy' || cost === 'scan') {
        route.handler = admitted(handler, cost === 'heavy' ? heavy : scan)
      } else if (cost === 'light' || isRead(route)) {
        route.handler = function (...args) {
          return inLane('reads', () => handler.apply(this, args))
        }
      }
    }
  }
}

const isRead = ({ method }: RouteOptions): boolean => [method].flat().every(each => each === 'GET' || each === 'HEAD')

interface Share {
  readonly lane: Lane
  readonly admission: Admission
  readonly statements?: Serial
}

function admitted(handler: RouteHandlerMethod, { lane, admission, statements }: Share): RouteHandlerMethod {
  return async function (request, reply) {
    const leave = await admission.enter(requestSignal(request))
    try {
      return await inLaneSerially(lane, async () => handler.call(this, request, reply), statements)
    } finally {
      leave()
    }
  }
}

/** Not given up when one request is: others may wait for the same rows. */
const never = new AbortController().signal

const createStatementLimit =
  (admission: Admission): Serial =>
  async statement => {
    const leave = await admission.enter(never)
    try {
      return await statement()
    } finally {
      leave()
    }
  }
