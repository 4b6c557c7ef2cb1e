import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

export type App = Parameters<FastifyPluginAsyncTypebox>[0]
