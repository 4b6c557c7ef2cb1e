import { runCommand } from '../../helpers/run-command.ts'
import type { Answer, TestService } from '../../helpers/service.ts'

export interface Credentials {
  client_id: string
  client_secret: string
}

/** Registers a client by the operator's command. */
export async function registerClient(service: TestService, scope = 'api:read api:write'): Promise<Credentials> {
  const { out } = await runCommand(
    service.kernel,
    'auth',
    'register-client',
    '--name',
    'a test',
    '--scope',
    scope,
    '--json'
  )
  return JSON.parse(out) as Credentials
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts a form; `fields` may be text, for what no encoder writes. */
export const sendForm = (
  service: TestService,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {}
): Promise<Answer> =>
  service.anonymous('POST', path, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), {
    ...form,
    ...headers
  })

export const grant = (credentials: Credentials, others: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  ...credentials,
  ...others
})

export async function mintToken(service: TestService, credentials: Credentials, scope?: string): Promise<string> {
  const answer = await sendForm(service, '/token', grant(credentials, scope === undefined ? {} : { scope }))
  return answer.body.access_token
}

export const basic = ({ client_id, client_secret }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
})

export const withToken = (token: string) => ({ authorization: `Bearer ${token}` })

/** The status of a read with the token. */
export async function statusWith(service: TestService, token: string): Promise<number> {
  return (await service.anonymous('GET', '/api/settings', undefined, withToken(token))).status
}
