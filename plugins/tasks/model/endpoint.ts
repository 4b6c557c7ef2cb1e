import { messageOf, type Settings } from '#core'
import { jsonHeaders } from '#requests'
import type { taskSettings } from '../settings.ts'
import { ModelError } from './errors.ts'

/** The configured endpoint with the key that was set for its host. */
export interface ModelEndpoint {
  /** With or without `/v1`. */
  baseUrl: string
  /** Empty for servers that want none. */
  apiKey: string
  /** Why a key that is stored is not sent there; null when it is. */
  keyFault: string | null
}

export function endpointIn(settings: Pick<Settings<typeof taskSettings>, 'get' | 'secretFor'>): ModelEndpoint {
  const baseUrl = settings.get('llm_base_url')
  const { value, fault } = settings.secretFor('llm_api_key', baseUrl)
  return { baseUrl, apiKey: value, keyFault: fault }
}

/**
 * The address of chat completions under a base URL. `http://127.0.0.1:11434`, `…/v1`, `…/v1/` and `…/v1/chat/completions`
 * mean the same; a path that names a version anywhere (`/v1beta/openai`) is kept, any other gets `/v1` appended.
 */
export function chatUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl.trim())
  // The value is not repeated: a mistyped address may hold credentials.
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ModelError(
      'llm_base_url is not an http or https address without credentials: set it to, for example, http://127.0.0.1:11434/v1.'
    )
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const versioned = path.split('/').some(part => /^v\d/.test(part)) ? path : `${path}/v1`
  return `${url.origin}${versioned}/chat/completions`
}

export function headersOf(apiKey: string): Record<string, string> {
  try {
    return { ...jsonHeaders(apiKey, 'llm_api_key'), accept: 'text/event-stream, application/json' }
  } catch (error) {
    throw new ModelError(messageOf(error), { cause: error })
  }
}
