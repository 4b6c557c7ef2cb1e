import { createHash } from 'node:crypto'
import { type Fields, payloadFields, payloadText } from './payload.ts'

/** An alert of a group, as its last event said. */
interface GroupedAlert {
  isFiring: boolean
  /** When it began to fire, in milliseconds since 1970. */
  since: number
  /** When it was resolved, else when it began. */
  at: number
}

export interface AlertGroup {
  /** By fingerprint. */
  alerts: Readonly<Record<string, GroupedAlert>>
  is_firing: boolean
}

/** What a message of a group says that the group did not know. Null: nothing. */
export type GroupNews = 'firing' | 'still firing' | 'resolved' | null

/** So many alerts of a group are known; those that were resolved first are forgotten first. */
const maxAlerts = 500

/** What groups of Alertmanager and Grafana are known by; null for a message that is of no group. */
export function groupKeyOf(payload: Fields): string | null {
  const key = payloadText(payload.groupKey, 10_000)
  if (key === null || !Array.isArray(payload.alerts)) return null
  return createHash('sha256')
    .update(JSON.stringify([payload.receiver, key]))
    .digest('hex')
}

/**
 * Adds a message to what is known of its group. Messages may come in any order, and twice: each alert goes by its own times,
 * and one that is not newer than what is known changes nothing.
 */
export function mergeAlerts(group: AlertGroup, payload: Fields): { group: AlertGroup; news: GroupNews } {
  const sent = alertsOf(payload)
  const changed = [...sent].filter(([key, alert]) => isNewer(alert, group.alerts[key]))
  const gone = missingAlerts(group, sent, payload)
  const alerts = limitAlerts({ ...group.alerts, ...Object.fromEntries(gone), ...Object.fromEntries(changed) })
  const is_firing = Object.values(alerts).some(({ isFiring }) => isFiring)
  const merged = { alerts, is_firing }
  if (changed.length === 0 && gone.length === 0) return { group: merged, news: null }
  if (!is_firing) return { group: merged, news: 'resolved' }
  return { group: merged, news: group.is_firing && isContinuing(group, alerts) ? 'still firing' : 'firing' }
}

/** True while an alert fires that fired before, without a pause. */
const isContinuing = (group: AlertGroup, alerts: AlertGroup['alerts']): boolean =>
  Object.entries(group.alerts).some(
    ([key, { isFiring, since }]) => isFiring && alerts[key]?.isFiring === true && alerts[key].since === since
  )

/** A resolution belongs to the firing that began when it says. */
const isNewer = (alert: GroupedAlert, known: GroupedAlert | undefined): boolean =>
  known === undefined || alert.since > known.since || (alert.since === known.since && known.isFiring && !alert.isFiring)

/**
 * Alerts that fire as far as is known, and that the newest message of a group does not have: their resolution was lost, or is
 * not sent. A message names all that fire, unless it was truncated.
 */
function missingAlerts(
  group: AlertGroup,
  sent: ReadonlyMap<string, GroupedAlert>,
  payload: Fields
): [string, GroupedAlert][] {
  const newest = Math.max(...[...sent.values()].map(({ at }) => at))
  const known = Math.max(0, ...Object.values(group.alerts).map(({ at }) => at))
  if (sent.size === 0 || newest < known || isTruncated(payload)) return []
  return Object.entries(group.alerts)
    .filter(([key, { isFiring }]) => isFiring && !sent.has(key))
    .map(([key, alert]) => [key, { ...alert, isFiring: false, at: Math.max(newest, alert.at) }])
}

const isTruncated = ({ truncatedAlerts }: Fields): boolean =>
  truncatedAlerts !== undefined && Number(truncatedAlerts) !== 0

function alertsOf(payload: Fields): Map<string, GroupedAlert> {
  const alerts = Array.isArray(payload.alerts) ? payload.alerts.slice(0, maxAlerts).map(payloadFields) : []
  return new Map(alerts.map(alert => [fingerprintOf(alert), alertOf(alert)]))
}

function alertOf(alert: Fields): GroupedAlert {
  const isFiring = alert.status !== 'resolved'
  const since = timeOf(alert.startsAt)
  return { isFiring, since, at: isFiring ? since : Math.max(since, timeOf(alert.endsAt)) }
}

function fingerprintOf({ fingerprint, labels }: Fields): string {
  const sorted = Object.entries(payloadFields(labels)).sort(([one], [other]) => (one < other ? -1 : 1))
  return payloadText(fingerprint, 100) ?? createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

function timeOf(value: unknown): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

function limitAlerts(alerts: Record<string, GroupedAlert>): Record<string, GroupedAlert> {
  const entries = Object.entries(alerts)
  if (entries.length <= maxAlerts) return alerts
  const byImportance = entries.sort(
    ([, one], [, other]) => Number(other.isFiring) - Number(one.isFiring) || other.at - one.at
  )
  return Object.fromEntries(byImportance.slice(0, maxAlerts))
}
