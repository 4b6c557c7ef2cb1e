// Another process of the measurement, whose memory is not full of what was seeded: asks a server and answers the milliseconds.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Filters } from '../plugins/memory/repository/vector-search.ts'

/** What is asked: every question with every filter, `rounds` times. */
export interface Asking {
  url: string
  token: string
  questions: readonly string[]
  filters: readonly Filters[]
  rounds: number
}

/** Milliseconds by filter; `first` is the process's very first answer, behind which one round is not counted. */
export interface Answered {
  first: number
  times: number[][]
}

const agent = new Agent({ keepAlive: true })

process.once('message', async (asking: Asking) => {
  const { questions, filters, rounds } = asking
  const askAll = async (by: Filters) => {
    const times: number[] = []
    for (const question of questions) times.push(await ask(asking, question, by))
    return times
  }
  const answered: Answered = { first: await ask(asking, 'tides', {}), times: [] }
  await askAll({})
  for (const by of filters) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(...(await askAll(by)))
    answered.times.push(times)
  }
  process.send?.(answered, () => process.disconnect())
})

async function ask({ url, token }: Asking, q: string, { writer, source_table, tags }: Filters): Promise<number> {
  const given = { ...(writer && { writer }), ...(source_table && { source_table }), ...(tags && { tags: `${tags}` }) }
  const path = `/api/memory/search?${new URLSearchParams({ q, limit: '10', ...given })}`
  const begun = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + path, { agent, headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
  })
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`The search answers ${answer.statusCode}.`)
  return performance.now() - begun
}
