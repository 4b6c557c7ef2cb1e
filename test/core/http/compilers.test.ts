import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteOptions } from 'fastify'
import { bootPlugins, loadConfigured } from '../../helpers/kernel.ts'

const parts = ['params', 'querystring', 'body'] as const

type ByType = { content?: Record<string, { schema: object }> }

/** A schema, or those of the types that a body comes in. */
const schemasIn = (part: ByType): object[] =>
  part.content === undefined ? [part] : Object.values(part.content).map(each => each.schema)

/** The schemas of a route's responses, by status and type. */
const responsesOf = ({ schema }: RouteOptions): object[] =>
  Object.values((schema?.response ?? {}) as Record<string, ByType>).flatMap(schemasIn)

test('every schema of the own routes compiles, though a start does not compile them', async () => {
  const app = await bootPlugins(await loadConfigured()).createApp()
  let count = 0
  for (const route of app.apiDescription.routes) {
    const { url, schema = {} } = route
    const method = [route.method].flat().join()
    for (const httpPart of parts) {
      for (const part of schemasIn((schema[httpPart] ?? { content: {} }) as ByType)) {
        const validate = app.validatorCompiler?.({ schema: part, method, url, httpPart })
        assert.ok(validate)
        validate({})
        count += 1
      }
    }
    for (const response of responsesOf(route)) {
      const serialize = app.serializerCompiler?.({ schema: response, method, url })
      assert.ok(serialize)
      assert.doesNotMatch(
        faultOf(() => serialize({})),
        /schema|reference|keyword/i
      )
      count += 1
    }
  }
  assert.ok(count > 200, `${count} schemas`)
  await app.close()
})

function faultOf(run: () => unknown): string {
  try {
    run()
    return ''
  } catch (error) {
    return String(error)
  }
}
