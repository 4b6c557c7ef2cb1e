import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TargetAnswer = (response: ServerResponse) => void

export interface ReceivedRequest {
  at: number
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A stand-in for whoever is notified of changes. It answers 200, or as the script says. */
export async function startTargetServer(usual: TargetAnswer = response => void response.end('{"success":true}')) {
  const received: ReceivedRequest[] = []
  const answers: TargetAnswer[] = []
  let answerAll: TargetAnswer | undefined
  const server = createServer(async (request, response) => {
    const at = performance.now()
    let body = ''
    for await (const piece of request) body += piece
    received.push({ at, method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    const answer = answers.shift() ?? answerAll ?? usual
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    bodies: () => received.map(({ body }) => JSON.parse(body)),
    /** The next answers. */
    script: (...next: TargetAnswer[]) => void answers.push(...next),
    /** Every answer from now on; undefined: the usual one. */
    answerWith: (answer: TargetAnswer | undefined) => {
      answerAll = answer
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): TargetAnswer =>
  response =>
    void response.writeHead(code, headers).end()
