import type { FastifyPluginAsyncTypebox } from '#core'
import { access, Type } from '#core'
import { changeOfPath, everything, pathPattern } from './public-changes.ts'
import type { TargetSender } from './sender.ts'

const Revalidated = Type.Object({
  revalidated: Type.Boolean({
    description:
      'Whether everybody who is set up has answered with a success. Otherwise it is tried again in the background, or nobody is set up.',
    examples: [true]
  })
})

export const revalidationRoutes =
  (sender: TargetSender): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { access: access.bearer('api:write') }
    const schema = {
      operationId: 'revalidatePath',
      tags: ['revalidation'],
      summary: 'Tells the front end that a path reads differently',
      body: Type.Object(
        {
          path: Type.String({
            pattern: pathPattern,
            maxLength: 2000,
            description: 'A path on the website: it begins with one /, and has no blank, \\ or #.',
            examples: ['/posts/tides']
          })
        },
        { additionalProperties: false }
      ),
      response: { 200: Revalidated }
    }
    app.post('/api/revalidate', { config, schema }, async request => ({
      revalidated: await sender.sendNow(changeOfPath(request.body.path))
    }))
    const schemaOfAll = {
      operationId: 'revalidateEverything',
      tags: ['revalidation'],
      summary: 'Tells the front end, the CDN and the WebSub hub that everything reads differently',
      response: { 200: Revalidated }
    }
    app.post('/revalidate-cache', { config, schema: schemaOfAll }, async () => ({
      revalidated: await sender.sendNow(everything)
    }))
  }
