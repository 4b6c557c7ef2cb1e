import type { FastifyPluginAsync } from 'fastify'
import { type App, access } from '#core'
import { preferredWaitMs } from './prefer.ts'
import type { RebuildJobs } from './rebuild-jobs.ts'
import { RebuildJob, RebuildParameter, RebuildReport, RebuildStarted } from './schemas.ts'

/** A rebuild that takes longer goes on as a job. */
const waitMs = 30_000
const tags = ['export']

export const exportRoutes =
  (rebuilds: RebuildJobs): FastifyPluginAsync =>
  async app => {
    rebuildRoute(app, rebuilds)
    jobRoute(app, rebuilds)
  }

function rebuildRoute(app: App, rebuilds: RebuildJobs): void {
  const schema = {
    operationId: 'rebuildExport',
    tags,
    summary: 'Writes the whole static export again: JSON, feeds and site map of all public posts',
    response: { 200: RebuildReport, 202: RebuildStarted }
  }
  const config = {
    access: access.bearer('api:write'),
    documentation: {
      errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
      requestHeaders: {
        Prefer: '`respond-async` asks for 202 at once, `respond-async, wait=5` after 5 seconds; absent: after 30.'
      },
      responseHeaders: { Location: 'With 202: where the job is.' }
    }
  } as const
  app.post('/api/export/rebuild', { config, schema }, async (request, reply) => {
    const answer = await rebuilds.rebuild(preferredWaitMs(request.headers.prefer, waitMs))
    if ('report' in answer) return answer.report
    return reply.code(202).header('location', `/api/export/jobs/${answer.job_id}`).send(answer)
  })
}

function jobRoute(app: App, rebuilds: RebuildJobs): void {
  const schema = {
    operationId: 'getExportJob',
    tags,
    summary: 'How far a rebuild of the static export is that took long',
    params: RebuildParameter,
    response: { 200: RebuildJob }
  }
  const config = { access: access.bearer('api:read'), documentation: { errors: ['NOT_FOUND'] } } as const
  app.get('/api/export/jobs/:job_id', { config, schema }, request => rebuilds.get(request.params.job_id))
}
