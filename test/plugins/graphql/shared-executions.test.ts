// Not on a server: what requests share does not depend on the database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BatchRead, GraphqlContext, GraphqlModule } from '#core'
import { CONTRACT, definePlugin } from '../../../core/contract/plugin.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

describe('of requests at once', () => {
  let reads: PromiseWithResolvers<void>[] = []
  let answer = 0
  const readWave: BatchRead<number> = async keys => {
    const read = Promise.withResolvers<void>()
    reads.push(read)
    await read.promise
    if (keys.includes('broken')) throw new Error('a wave that cannot be read')
    answer += 1
    return new Map(keys.map(key => [key, answer]))
  }
  const wave = (_: undefined, { name }: { name: string }, context: GraphqlContext) => context.load(readWave, name)
  const part = async (): Promise<GraphqlModule> => ({
    schema: 'extend type Query { wave(name: String!): Int @public }',
    resolvers: { Query: { wave } }
  })
  const waves = definePlugin({
    name: 'waves',
    contract: CONTRACT,
    describe: 'Waves, for the tests',
    setup: () => ({ services: {}, graphql: part })
  })
  let service: TestService
  before(async () => {
    service = await startService({ worker: false, plugins: [waves] })
  })
  after(() => service.close())

  const query = 'query($name: String!) { wave(name: $name) }'
  const ask = (who: 'anonymous' | 'bearer', name: string) =>
    service[who]('POST', '/graphql', { query, variables: { name } })
  /** Three ask. The first read ends when the others have arrived, each later one as it begins. */
  const askThree = async (who: 'anonymous' | 'bearer', [one, two, three]: readonly [string, string, string]) => {
    reads = []
    answer = 0
    let isDone = false
    const first = ask(who, one)
    await until(async () => reads.length === 1)
    const others = [ask(who, two), ask(who, three)]
    // Sent after them, and longer on its way.
    const { body } = await service.bearer('POST', '/graphql', { query: '{ tasks { totalCount } }' })
    assert.equal(body.data.tasks.totalCount, 0)
    const all = Promise.all([first, ...others]).finally(() => {
      isDone = true
    })
    await until(async () => {
      for (const read of reads) read.resolve()
      return isDone
    })
    return all
  }

  test('those without a token share an answer that was read after they asked', async () => {
    const answers = await askThree('anonymous', ['high', 'high', 'high'])
    assert.deepEqual(
      answers.map(({ body }) => body.data.wave),
      [1, 2, 2]
    )
  })
  test('other variables are another question', async () => {
    await askThree('anonymous', ['high', 'low', 'ebb'])
    assert.equal(reads.length, 3)
  })
  test('those with a token share nothing', async () => {
    await askThree('bearer', ['high', 'high', 'high'])
    assert.equal(reads.length, 3)
  })
  test('a field that fails has the id of each request', async () => {
    const answers = await askThree('anonymous', ['broken', 'broken', 'broken'])
    const ids = answers.map(({ body }) => body.errors[0].extensions.request_id)
    assert.equal(new Set(ids).size, 3)
    for (const { body } of answers) assert.deepEqual(body.data, { wave: null })
  })
})
