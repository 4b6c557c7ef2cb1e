import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import type { GroupNews } from '../alert-group.ts'
import { type Fields, payloadFields, payloadText } from '../payload.ts'

/** So many alerts of a group are named in one message. */
const maxNamedAlerts = 10

/**
 * An alert as Alertmanager, Grafana and plainer senders write it; those of a group are named by their own labels. `status`: what
 * is new of the group; null for what the sender says.
 */
export function alertNotice({
  title,
  payload,
  status: news = null
}: {
  title: string
  payload: Fields
  status?: GroupNews
}): Notice {
  const labels = payloadFields(payload.commonLabels)
  const alerts = (Array.isArray(payload.alerts) ? payload.alerts : []).map(payloadFields)
  const isGroup = alerts.length > 1
  const status = news ?? textOf(payload.status) ?? textOf(payload.state)
  const facts = [status, textOf(labels.severity), isGroup ? `${alerts.length} alerts` : null].filter(
    fact => fact !== null
  )
  return {
    title: `Alert${facts.length === 0 ? '' : ` (${truncateText(facts.join(', '), 100)})`}: ${truncateText(title, 300)}`,
    lines: [
      ...detailsOf(payload, title, isGroup ? undefined : alerts[0]),
      ...(isGroup ? groupLines(alerts, labels) : labelLines(alerts[0]))
    ],
    actions: []
  }
}

/** What the sender says in words of all its alerts, and of one alone; each sentence once. */
function detailsOf(payload: Fields, title: string, alert: Fields | undefined): string[] {
  const annotations = { ...payloadFields(alert?.annotations), ...payloadFields(payload.commonAnnotations) }
  const texts = [annotations.summary, annotations.description, payload.message, payload.text].map(textOf)
  const isNew = (text: string | null): text is string => text !== null && text !== title
  return [...new Set(texts.filter(isNew))].map(text => truncateText(text, 600))
}

function groupLines(alerts: readonly Fields[], common: Fields): string[] {
  const lines = alerts.slice(0, maxNamedAlerts).flatMap(alert => {
    const { alertname, ...labels } = payloadFields(alert.labels)
    const own = Object.entries(labels).filter(([key, value]) => common[key] !== value)
    const words = [textOf(alert.status), textOf(alertname), pairsOf(own)].filter(Boolean).join(' ')
    const summary = textOf(payloadFields(alert.annotations).summary)
    const line = [words, summary].filter(Boolean).join(': ')
    return line === '' ? [] : [`• ${truncateText(line, 300)}`]
  })
  return alerts.length > maxNamedAlerts ? [...lines, `… and ${alerts.length - maxNamedAlerts} more`] : lines
}

/** Of one alone: the labels that its title does not have. */
function labelLines(alert: Fields | undefined): string[] {
  const { alertname: _, severity: __, ...labels } = payloadFields(alert?.labels)
  const pairs = pairsOf(Object.entries(labels))
  return pairs === '' ? [] : [truncateText(pairs, 300)]
}

const pairsOf = (labels: readonly [string, unknown][]): string =>
  labels.flatMap(([key, value]) => (textOf(value) === null ? [] : [`${key}=${textOf(value)}`])).join(' ')

/** More than any line shows. */
const textOf = (value: unknown): string | null => payloadText(value, 1_000)
