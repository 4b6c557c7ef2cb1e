import type { Terminal } from '../../core/contract/command.ts'
import { UnavailableError } from '../../core/contract/errors.ts'
import { callCommand, textIn } from '../owner/call-command.ts'
import type { RunLine } from '../owner/socket.ts'

/** A running service, as the demo uses it: its API over HTTP, and its commands. */
export interface DemoService {
  url: string
  run: RunLine
}

/** Answers of the API, as far as the demo reads them. */
export interface TaskAnswer {
  task_id: string
  topic: string
  status: string
  stage: string | null
  reason: string | null
  error: string | null
  qa: {
    score: number
    passed: boolean
    rails: { name: string; required: boolean; passed: boolean; score: number; note: string }[]
  } | null
  title: string | null
  excerpt: string | null
  post_slug: string | null
  preview_url: string | null
  /** Where readers find the post: its page, or its address in the API. */
  published_url: string | null
}
export interface EventAnswer {
  id: number | string
  at: string
  type: string
  from: string | null
  to: string | null
  detail: Record<string, unknown>
}

/** Runs a command in the service and returns its JSON. @throws AppError naming the command when it fails. */
export async function callService({ run }: DemoService, argv: readonly string[], terminal: Terminal): Promise<unknown> {
  return callCommand(argv, { run, terminal, actor: 'demo' })
}

/** The service's API with a bearer token of the installation's own client. */
export interface Api {
  get<T>(path: string): Promise<T>
  send<T>(path: string, body: object): Promise<T>
  /** Text of a public page. @throws UnavailableError unless it answers 200. */
  text(path: string): Promise<string>
}

export async function openApi(service: DemoService, terminal: Terminal): Promise<Api> {
  const token = await mintToken(service, terminal)
  const authorized = { authorization: `Bearer ${token}` }
  const call = async <T>(path: string, init: RequestInit): Promise<T> =>
    (await (await request(service.url + path, init)).json()) as T
  return {
    get: path => call(path, { headers: authorized }),
    send: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { ...authorized, 'content-type': 'application/json' },
        body: JSON.stringify(body)
      }),
    text: async path => await (await request(service.url + path, {})).text()
  }
}

async function mintToken(service: DemoService, terminal: Terminal): Promise<string> {
  const setting = async (key: string) =>
    textIn(await callService(service, ['settings', 'get', key, '--reveal'], terminal), 'value')
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: await setting('cli_oauth_client_id'),
    client_secret: await setting('cli_oauth_client_secret')
  })
  const response = await request(`${service.url}/token`, { method: 'POST', body: form })
  return textIn(await response.json(), 'access_token')
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok) return response
  const body = (await response.json().catch(() => ({}))) as { message?: string; errors?: Record<string, string> }
  const faults = Object.entries(body.errors ?? {}).map(([name, fault]) => `${name} ${fault}`)
  throw new UnavailableError(
    `${init.method ?? 'GET'} ${url} answered ${response.status}: ${[body.message, ...faults].join(' ')}`
  )
}
