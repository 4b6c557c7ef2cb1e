import { type BatchedEvent, type Db, on, type Subscription } from '#core'
import type { Notify, QueuedNotice } from '#plugins/notify'
import type { GateRegistry } from '../gates.ts'
import {
  type DefaultGate,
  defaultGateName,
  GateDecided,
  type GateDecision,
  GateHeld,
  type Gates,
  type GateWording,
  type Held
} from '../index.ts'
import { namedDecisions, wordedDecisions } from './decisions.ts'
import { heldNotice, outcomeOf } from './notices.ts'
import { pendingCommand } from './pending.ts'

export interface GateMessageDeps {
  db: Db
  gates: GateRegistry
  /** Undefined: there are no messages, and no chat decides. */
  notify: Notify | undefined
  /** The operator's. */
  timeZone(): string
  now(): Date
}

/** The operator's messages about what waits, and the chat commands that decide on it. */
export interface GateMessages {
  /** Parts of the service: a gate is defined with its chat commands. */
  readonly service: Pick<Gates, 'define' | 'defineDefault'>
  readonly subscriptions: readonly Subscription[]
}

export function createGateMessages({ db, gates, notify, timeZone, now }: GateMessageDeps): GateMessages {
  const wordings = new Map<string, GateWording>()
  const parts = { db, gates, timeZone, now, wordingOf: (name: string) => wordings.get(name) }
  const addWording = (gate_name: string, { wording }: Pick<DefaultGate, 'wording'>) => {
    if (wording === undefined) return
    wordings.set(gate_name, wording)
    notify?.registerCommands(wordedDecisions(parts, gate_name, wording))
  }
  notify?.registerCommands(pendingCommand(parts))
  notify?.registerCommands(namedDecisions(parts))
  return {
    service: {
      define(gate) {
        gates.define(gate)
        addWording(gate.gate_name, gate)
      },
      defineDefault(gate) {
        gates.defineDefault(gate)
        addWording(defaultGateName, gate)
      }
    },
    subscriptions: notify === undefined ? [] : gateSubscriptions({ ...parts, notify })
  }
}

interface SubscriptionDeps extends Pick<GateMessageDeps, 'db' | 'gates' | 'timeZone'> {
  notify: Notify
  wordingOf(gate_name: string): GateWording | undefined
}

const replaced = 'It has changed since: see the newer message.'

/** The event's id is the source of its message, so that a redelivery makes no second one. */
function gateSubscriptions({ db, gates, notify, timeZone, wordingOf }: SubscriptionDeps): Subscription[] {
  const toQueued = async ({ id, payload: held }: BatchedEvent<Held>): Promise<QueuedNotice & { subject: Held }> => {
    const link = held.post_id === null ? null : ((await gates.postLinks()?.preview(held.post_id)) ?? null)
    const notice = heldNotice(held, wordingOf(held.gate_name), link, timeZone())
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
