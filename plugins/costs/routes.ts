import { type App, access, type FastifyPluginAsyncTypebox, principalOf } from '#core'
import { type PageQuery, type PageRequest, pageRequest, sendPage } from '#lists'
import { periodOf } from '#time'
import type { CostComponents } from './components.ts'
import { type CallFilter, resolvePaid } from './repository/lists.ts'
import {
  BudgetSchema,
  CallIdParameters,
  CallListQuery,
  CallListSchema,
  CallSchema,
  CorrectionBody,
  TaskCostSchema,
  TaskIdParameters
} from './schemas.ts'

const tags = ['costs']
const reads = { access: access.bearer('api:read') }
const finds = { ...reads, documentation: { errors: ['NOT_FOUND', 'AMBIGUOUS_ID'] } } as const

type RouteDeps = Pick<CostComponents, 'db' | 'paidCalls' | 'budget' | 'timeZone'>

export const costRoutes =
  (components: RouteDeps): FastifyPluginAsyncTypebox =>
  async app => {
    budgetRoute(app, components)
    taskCostRoute(app, components)
    listRoute(app, components)
    correctionRoute(app, components)
  }

/** The page of calls asked for. */
export const callPage = (query: PageQuery, { task_id, post_id, model, since, until }: CallFilter): PageRequest =>
  pageRequest(
    query,
    ['timestamp', 'uuid'],
    ['costs', task_id, post_id, model, since?.toISOString(), until?.toISOString()]
  )

function budgetRoute(app: App, { budget }: RouteDeps): void {
  const schema = {
    operationId: 'getCostBudget',
    tags,
    summary: 'What models cost this month, and what is left of its budget',
    response: { 200: BudgetSchema }
  }
  app.get('/api/costs/budget', { config: reads, schema }, () => budget())
}

function taskCostRoute(app: App, { db, paidCalls }: RouteDeps): void {
  const schema = {
    operationId: 'getTaskCost',
    tags,
    summary: 'What a task cost by attempts, stages and rails, and what one more attempt costs',
    params: TaskIdParameters,
    response: { 200: TaskCostSchema }
  }
  app.get('/api/costs/tasks/:task_id', { config: finds, schema }, async request =>
    paidCalls.ofTask(db, await resolvePaid(db, 'task_id', request.params.task_id))
  )
}

function listRoute(app: App, { paidCalls, timeZone }: RouteDeps): void {
  const schema = {
    operationId: 'listCosts',
    tags,
    summary: 'Paid requests, newest first, and what they cost together',
    querystring: CallListQuery,
    response: { 200: CallListSchema }
  }
  app.get('/api/costs', { config: finds, schema }, async (request, reply) => {
    const { task_id, post_id, model } = request.query
    const filter = await paidCalls.filterOf({ task_id, post_id, model, ...periodOf(request.query, timeZone()) })
    return sendPage(request, reply, await paidCalls.list(filter, callPage(request.query, filter)))
  })
}

function correctionRoute(app: App, { paidCalls }: RouteDeps): void {
  const schema = {
    operationId: 'correctCost',
    tags,
    summary: 'Sets what a request did cost; its budgets follow',
    params: CallIdParameters,
    body: CorrectionBody,
    response: { 200: CallSchema }
  }
  const config = {
    access: access.bearer('api:write'),
    documentation: { errors: ['NOT_FOUND', 'CONFLICT', 'AMBIGUOUS_ID'] }
  } as const
  app.post('/api/costs/:call_id/correct', { config, schema }, request => {
    const { amount, reason } = request.body
    return paidCalls.correct(request.params.call_id, amount, { actor: principalOf(request).client_id, reason })
  })
}
