import { type BatchedEvent, type Db, on, type Subscription } from '#core'
import type { Notify, QueuedNotice } from '#plugins/notify'
import type { GateRegistry } from '../gates.ts'
import {
  type DefaultGate,
  defaultGateName,
  GateDecided,
  type GateDecision,
  GateHeld,
  type GateLabels,
  type Gates,
  type Held
} from '../index.ts'
import { labelledDecisions, namedDecisions } from './decisions.ts'
import { heldNotice, outcomeOf } from './notices.ts'
import { pendingCommand } from './pending.ts'

interface GateMessageDeps {
  db: Db
  gates: GateRegistry
  /** Undefined: there are no messages, and no chat decides. */
  notify: Notify | undefined
  /** The operator's. */
  timeZone(): string
  now(): Date
}

/** The operator's messages about what waits, and the chat commands that decide on it. */
interface GateMessages {
  /** Parts of the service: a gate is registered with its chat commands. */
  readonly service: Pick<Gates, 'registerGate' | 'registerDefaultGate'>
  readonly subscriptions: readonly Subscription[]
}

export function createGateMessages({ db, gates, notify, timeZone, now }: GateMessageDeps): GateMessages {
  const labelsByGate = new Map<string, GateLabels>()
  const parts = { db, gates, timeZone, now, labelsOf: (name: string) => labelsByGate.get(name) }
  const addLabels = (gate_name: string, { labels }: Pick<DefaultGate, 'labels'>) => {
    if (labels === undefined) return
    labelsByGate.set(gate_name, labels)
    notify?.registerCommands(labelledDecisions(parts, gate_name, labels))
  }
  notify?.registerCommands(pendingCommand(parts))
  notify?.registerCommands(namedDecisions(parts))
  return {
    service: {
      registerGate(gate) {
        gates.registerGate(gate)
        addLabels(gate.gate_name, gate)
      },
      registerDefaultGate(gate) {
        gates.registerDefaultGate(gate)
        addLabels(defaultGateName, gate)
      }
    },
    subscriptions: notify === undefined ? [] : gateSubscriptions({ ...parts, notify })
  }
}

interface SubscriptionDeps extends Pick<GateMessageDeps, 'db' | 'gates' | 'timeZone' | 'now'> {
  notify: Notify
  labelsOf(gate_name: string): GateLabels | undefined
}

const replaced = 'It has changed since: see the newer message.'

/** The event's id is the source of its message, so that a redelivery makes no second one. */
function gateSubscriptions({ db, gates, notify, timeZone, now, labelsOf }: SubscriptionDeps): Subscription[] {
  const toQueued = async ({ id, payload: held }: BatchedEvent<Held>): Promise<QueuedNotice & { subject: Held }> => {
    const link = held.post_id === null ? null : ((await gates.postLinks()?.preview(held.post_id)) ?? null)
    const notice = heldNotice(held, { labels: labelsOf(held.gate_name), link, timeZone: timeZone(), now: now() })
    return { source: `event:${id}`, notice, kind: 'held', subject: held }
  }
  const held = async (events: readonly BatchedEvent<Held>[]) => {
    const notices = await Promise.all(events.map(toQueued))
    await db.transaction(async tx => {
      await notify.queue(tx, notices)
      const earlier = notices.map(({ source, subject }) => ({ ...subject, outcome: replaced, before: source }))
      await notify.recordOutcomes(tx, earlier)
    })
  }
  const decided = (events: readonly BatchedEvent<GateDecision>[]) => {
    const outcomes = events.map(({ payload }) => ({ ...payload, outcome: outcomeOf(payload), before: null }))
    return db.transaction(tx => notify.recordOutcomes(tx, outcomes))
  }
  return [on(GateHeld, held, { maxBatch: 250 }), on(GateDecided, decided, { maxBatch: 250 })]
}
