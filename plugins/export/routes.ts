import type { FastifyPluginAsync } from 'fastify'
import { access, Type } from '#core'
import type { Exports } from './exports.ts'

const Report = Type.Object({
  posts: Type.Integer({ description: 'Public posts, each with a file.', examples: [42] }),
  files: Type.Integer({ description: 'Files the export consists of.', examples: [48] }),
  removed: Type.Integer({ description: 'Files of posts that are no longer public.', examples: [1] }),
  bytes: Type.Integer({ description: 'Size of all files.', examples: [812345] }),
  duration_ms: Type.Integer({ examples: [130] })
})

export const exportRoutes =
  (exports: Exports): FastifyPluginAsync =>
  async app => {
    const schema = {
      operationId: 'rebuildExport',
      tags: ['export'],
      summary: 'Writes the whole static export again: JSON, feeds and site map of all public posts',
      response: { 200: Report }
    }
    app.post('/api/export/rebuild', { config: { access: access.bearer('api:write') }, schema }, () => exports.rebuild())
  }
