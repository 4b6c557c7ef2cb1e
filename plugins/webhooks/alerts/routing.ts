import { type Emit, isObject, type Tx } from '#core'
import type { Notify } from '#plugins/notify'
import { type GroupNews, groupKeyOf, mergeAlerts } from '../alert-group.ts'
import { AlertReceived, type WebhookDelivery } from '../index.ts'
import { type Fields, payloadFields, payloadText } from '../payload.ts'
import { lockGroup, type StoredGroup, saveGroup } from '../repository/alert-groups.ts'
import { alertNotice } from './notice.ts'

interface RoutingDeps {
  emit: Emit
  /** Absent without the plugin `notify`: then alerts are events only. */
  notify: Notify | undefined
  /** A group that goes on firing without news is reported again after so many minutes. */
  reminderMinutes(): number
  now(): Date
}

/** Routes an alert to the operator's chat. Repeated alerts of a group are suppressed: only what is new is sent, in its thread. */
export const routeAlert =
  (deps: RoutingDeps) =>
  async (tx: Tx, delivery: WebhookDelivery): Promise<void> => {
    const payload = plainPayload(delivery.body)
    const title = alertTitle(payload)
    if (delivery.handledAt === null) await deps.emit(tx, AlertReceived, { id: delivery.id, title, payload })
    const source = `webhook:${delivery.id}:${delivery.replays}`
    const key = groupKeyOf(payload)
    // A redelivery of a group may be a reminder; of anything else it is sent once.
    if (key !== null) await notifyGroup(deps, tx, key, { source: `${source}:${delivery.deliveries}`, title, payload })
    else await notifyOperator(deps, tx, { source, title, payload, status: null, thread: null })
  }

interface Alert {
  /** Of the message. */
  source: string
  title: string
  payload: Fields
}

async function notifyGroup(deps: RoutingDeps, tx: Tx, key: string, alert: Alert): Promise<void> {
  const known = await lockGroup(tx, key)
  const { group, news } = mergeAlerts(known, alert.payload)
  const change = news ?? (isReminderDue(deps, known, alert.payload) ? 'still firing' : null)
  // An alert that fires again starts a new thread.
  const thread = change === 'firing' ? null : known.thread
  if (change !== null) await notifyOperator(deps, tx, { ...alert, status: change, thread })
  await saveGroup(tx, key, {
    ...group,
    thread: change === 'firing' ? alert.source : known.thread,
    isNotified: change !== null
  })
}

function isReminderDue(
  { reminderMinutes, now }: RoutingDeps,
  { is_firing, notified_at }: StoredGroup,
  { status }: Fields
) {
  if (!is_firing || notified_at === null || status === 'resolved') return false
  return now().getTime() - Date.parse(notified_at) >= reminderMinutes() * 60_000
}

async function notifyOperator(
  { notify }: RoutingDeps,
  tx: Tx,
  { source, title, payload, status, thread }: Alert & { status: GroupNews; thread: string | null }
): Promise<void> {
  await notify?.queue(tx, [{ source, notice: alertNotice({ title, payload, status }), kind: 'alert', thread }])
}

/** What was accepted is JSON. */
function plainPayload(body: Buffer): Fields {
  const payload: unknown = JSON.parse(body.toString('utf8'))
  return isObject(payload) ? payload : {}
}

function alertTitle(payload: Fields): string {
  const labels = payloadFields(payload.commonLabels)
  const named = [payload.title, labels.alertname, alertNames(payload.alerts), payload.message]
  return named.map(text => payloadText(text, 200)).find(text => text !== null) ?? 'Alert'
}

/** The distinct names of the alerts in a group without a common name: senders have them in any order. */
function alertNames(alerts: unknown): string | null {
  if (!Array.isArray(alerts)) return null
  const names = alerts.slice(0, 100).map(alert => payloadText(payloadFields(payloadFields(alert).labels).alertname))
  return [...new Set(names.filter(name => name !== null))].sort().join(', ')
}
