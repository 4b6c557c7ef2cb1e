import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HookAnswer = (response: ServerResponse) => void

/** A stand-in for the incoming webhooks of Slack (`/services/…`) and Discord (`/api/webhooks/…`). */
export async function startHookServer() {
  const received: { path: string; type: string | undefined; body: Record<string, unknown> }[] = []
  const answers: HookAnswer[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    received.push({ path: request.url ?? '', type: request.headers['content-type'], body: JSON.parse(text) })
    const answer = answers.shift() ?? (to => void to.writeHead(204).end())
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, received },
    slack: `${url}/services/T1/B1/secret`,
    discord: `${url}/api/webhooks/1/secret`,
    script: (...next: HookAnswer[]) => void answers.push(...next),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}
