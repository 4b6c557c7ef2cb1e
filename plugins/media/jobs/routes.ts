import { type App, access, principalOf } from '#core'
import { sendPage } from '#lists'
import type { Generation } from './generation.ts'
import {
  GenerateBody,
  GenerateParameter,
  GenerationStarted,
  MediaJobDetails,
  MediaJobPage,
  MediaJobParameter,
  MediaJobQuery
} from './schemas.ts'

const tags = ['media']

export function generationRoutes(app: App, generation: Generation): void {
  generateRoute(app, generation)
  getJobRoute(app, generation)
  listJobsRoute(app, generation)
}

function generateRoute(app: App, generation: Generation): void {
  const schema = {
    operationId: 'generateMedia',
    tags,
    summary: 'Makes audio, films or a cover of a public post, in the background; for the same text the same job',
    params: GenerateParameter,
    body: GenerateBody,
    response: { 202: GenerationStarted }
  }
  const config = {
    access: access.bearer('api:write'),
    documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'] }
  } as const
  app.post('/generate/:post_id', { config, schema }, async (request, reply) => {
    const { client_id } = principalOf(request)
    const { job_id, post_id, media } = await generation.generate(request.params.post_id, request.body.media, client_id)
    return reply.code(202).send({ job_id, post_id, media })
  })
}

function getJobRoute(app: App, generation: Generation): void {
  const schema = {
    operationId: 'getMediaJob',
    tags,
    summary: 'How far a media job is, and what it made',
    params: MediaJobParameter,
    response: { 200: MediaJobDetails }
  }
  const config = {
    access: access.bearer('api:read'),
    documentation: { errors: ['AMBIGUOUS_ID', 'NOT_FOUND'] }
  } as const
  app.get('/api/media/jobs/:job_id', { config, schema }, request => generation.get(request.params.job_id))
}

function listJobsRoute(app: App, generation: Generation): void {
  const schema = {
    operationId: 'listMediaJobs',
    tags,
    summary: 'Media jobs, newest first; covers on publishing are among them only when they failed',
    querystring: MediaJobQuery,
    response: { 200: MediaJobPage }
  }
  const config = { access: access.bearer('api:read'), documentation: { errors: ['AMBIGUOUS_ID'] } } as const
  app.get('/api/media/jobs', { config, schema }, async (request, reply) =>
    sendPage(request, reply, await generation.list(request.query))
  )
}
