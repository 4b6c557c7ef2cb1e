import type { FastifyPluginAsync } from 'fastify'
import { access, Type } from '#core'
import type { Deliveries } from './deliveries.ts'
import type { Notice } from './index.ts'
import { sendTest } from './test-message.ts'

const Sent = Type.Object({
  sent: Type.Boolean({ description: 'True when every chat accepted the message.' }),
  messages: Type.Array(
    Type.Object({
      id: Type.Integer({ examples: [7] }),
      channel: Type.String({ examples: ['telegram'] }),
      state: Type.String({ description: 'sent, failed, or unknown: it may have arrived.', examples: ['sent'] }),
      message_id: Type.Union([Type.String(), Type.Null()], {
        description: "The chat service's own id.",
        examples: ['4711']
      }),
      error: Type.Union([Type.String(), Type.Null()], { examples: [null] })
    })
  )
})

export const notifyRoutes =
  (deliveries: Deliveries, notice: () => Notice): FastifyPluginAsync =>
  async app => {
    const schema = {
      operationId: 'testNotifyOperator',
      tags: ['notify'],
      summary: "Sends a test message to the operator's chat, and says whether it was delivered",
      response: { 200: Sent }
    }
    const config = { access: access.bearer('api:write'), documentation: { errors: ['CONFLICT'] } } as const
    app.post('/api/test/notify-operator', { config, schema }, () => sendTest(deliveries, notice()))
  }
