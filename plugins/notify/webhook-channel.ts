import { isObject, type Settings } from '#core'
import { addressFault, readResponseStart } from '#requests'
import { cutText } from '#text/excerpts'
import { retryAfterMs } from '#time'
import { type Channel, DeliveryError, type Notice } from './index.ts'
import { networkError } from './network-error.ts'
import type { notifySettings } from './settings.ts'

type Kind = 'slack' | 'discord'

const timeoutMs = 15_000
/** Discord refuses more; Slack cuts at 40,000. */
const maxLength = { discord: 2000, slack: 20_000 }

/** Sends messages through an incoming webhook of Slack or Discord. They show commands of the command line. */
export function createWebhookChannel(settings: Pick<Settings<typeof notifySettings>, 'get'>, now: () => Date): Channel {
  const url = () => settings.get('chat_webhook_url')
  return {
    name: 'webhook',
    target: () => (url() === '' ? null : `${settings.get('chat_webhook_kind')} ${url()}`),
    send: async (notice, _reply_to, signal) => {
      const chosen = settings.get('chat_webhook_kind')
      const fault = addressFault('chat_webhook_url', url())
      if (fault !== null) throw new DeliveryError('not_delivered', fault, { isChannelDown: true })
      const kind = chosen === 'auto' ? kindOf(url()) : chosen
      const response = await sendRequest(url(), bodyOf(kind, notice), signal)
      const text = await readResponseStart(response, 2_000)
      if (!response.ok) throw refusal(response, text, now())
      return { message_id: null }
    }
  }
}

/** The service of a webhook, by its address. Discord's Slack-compatible address ends in `/slack`. */
export function kindOf(url: string): Kind {
  const { hostname, pathname } = new URL(url)
  if (/\/slack\/?$/.test(pathname)) return 'slack'
  const isDiscord = /(^|\.)discord(app)?\.com$/.test(hostname) || /\/api(\/v\d+)?\/webhooks\/|discord/.test(pathname)
  return isDiscord ? 'discord' : 'slack'
}

/** The request's body, with all untrusted text escaped. */
export function bodyOf(kind: Kind, notice: Notice): object {
  const escaped = kind === 'slack' ? escapeSlack : escapeDiscord
  const lines = [notice.title, ...notice.lines].map(escaped)
  const commands = notice.actions.map(({ cli }) => `\`${cli.replaceAll('`', "'")}\``)
  // The commands matter most: a long text is cut instead.
  const link = notice.link == null ? [] : [kind === 'slack' ? escapeSlack(notice.link) : notice.link]
  const tail = [...link, ...commands].map(line => `\n${line}`).join('')
  const text = cut(lines.join('\n'), maxLength[kind] - tail.length) + tail
  return kind === 'slack' ? { text } : { content: text, allowed_mentions: { parse: [] } }
}

const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes Markdown. A zero-width space after @ prevents mentions. */
const escapeDiscord = (text: string): string =>
  text.replace(/[\\*_~`|>#[\]()<-]/g, '\\$&').replace(/@(?=\S)/g, '@\u200b')

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  // No split escape at the end.
  return `${cutText(text, length - 1).replace(/(\\|&[a-z]{0,3})$/, '')}…`
}

async function sendRequest(url: string, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  }).catch(error => {
    throw networkError(error)
  })
}

function refusal({ status, headers }: Response, text: string, now: Date): DeliveryError {
  const message = `The chat webhook answered ${status}.`
  if (status === 429) {
    const options = { retryAfterSeconds: retryAfterOf(headers, text, now), isChannelDown: true }
    return new DeliveryError('not_delivered', message, options)
  }
  if (status >= 500 || status === 408) return new DeliveryError('not_delivered', message)
  // The address may be corrected: 401, 403, 404 and 410 are about it, not about the message.
  const isAddress = [401, 403, 404, 410].includes(status) || (status >= 300 && status < 400)
  if (isAddress)
    return new DeliveryError('not_delivered', `${message} Check chat_webhook_url.`, { isChannelDown: true })
  return new DeliveryError('refused', message)
}

/** Seconds, from the header or the JSON of Discord's body. */
function retryAfterOf(headers: Headers, text: string, now: Date): number | null {
  const ms = retryAfterMs(headers.get('retry-after'), now)
  if (ms !== null && ms > 0) return Math.ceil(ms / 1000)
  const { retry_after } = parseObject(text)
  return typeof retry_after === 'number' && retry_after > 0 ? retry_after : null
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
