import { type App, access, type FastifyPluginAsyncTypebox, principalOf, type TSchema, Type } from '#core'
import { fetchLimit, type PageQuery, pageOf, pageParameters, pageRequest, sendPage, toPage } from '#lists'
import type { GateRegistry } from './gates.ts'
import { Gate, GateDecision, HeldItem } from './schemas.ts'

const tags = ['gates']
const strict = { additionalProperties: false }
const reads = { access: access.bearer('api:read') }
const writes = access.bearer('api:write')
const gateName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: ['awaiting_approval'] })
const GateParameter = Type.Object({ gate_name: gateName('Name of the gate.') })
const onlyGate = Type.Optional(gateName('Only what is at this gate.'))

/** The gates: what waits at them, decisions, and their history. */
export const gateRoutes =
  (gates: GateRegistry): FastifyPluginAsyncTypebox =>
  async app => {
    listRoute(app, gates)
    pendingRoute(app, gates)
    historyRoute(app, gates)
    switchRoute(app, gates)
    decideRoute(
      app,
      gates,
      'approve',
      'Let what waits at a gate pass; a post that an edit took the slot from gets it back while it lies ahead'
    )
    decideRoute(app, gates, 'reject', 'Reject what waits at a gate; a draft needs a reason')
  }

/** A page of a list that was read completely. */
function slicePage<Item>(all: readonly Item[], total: number, query: PageQuery, name: string) {
  const page = pageRequest(query, ['integer'], [name])
  const from = page.after === null ? page.offset : Number(page.after[0])
  const rows = all.slice(from, from + fetchLimit(page))
  return toPage(rows, page, total, row => [String(all.indexOf(row) + 1)])
}

function listRoute(app: App, gates: GateRegistry): void {
  const schema = {
    operationId: 'listGates',
    tags,
    summary: 'The default publish gate, then the configurable gates by name',
    querystring: Type.Object(pageParameters, strict),
    response: { 200: pageOf(Gate) }
  }
  app.get('/api/gates', { config: reads, schema }, async (request, reply) => {
    const all = await gates.list()
    return sendPage(request, reply, slicePage(all, all.length, request.query, 'gates'))
  })
}

function pendingRoute(app: App, gates: GateRegistry): void {
  const schema = {
    operationId: 'listPending',
    tags,
    summary: 'What waits at the gates, the longest waiting first; at most 100 of each gate',
    querystring: Type.Object({ gate_name: onlyGate, ...pageParameters }, strict),
    response: { 200: pageOf(HeldItem) }
  }
  const config = { ...reads, documentation: { errors: ['NOT_FOUND'] } } as const
  app.get('/api/gates/pending', { config, schema }, async (request, reply) => {
    const { gate_name = null, ...query } = request.query
    const [all, total] = await Promise.all([gates.pending(gate_name), gates.countPending(gate_name)])
    return sendPage(request, reply, slicePage(all, total, query, `pending ${gate_name ?? ''}`))
  })
}

function historyRoute(app: App, gates: GateRegistry): void {
  const id = Type.Optional(
    Type.String({ minLength: 8, maxLength: 36, description: 'Only of this task and its post, by the id of either.' })
  )
  const schema = {
    operationId: 'listGateHistory',
    tags,
    summary: 'What was held and decided, newest first',
    querystring: Type.Object({ gate_name: onlyGate, id, ...pageParameters }, strict),
    response: { 200: pageOf(GateDecision) }
  }
  const config = { ...reads, documentation: { errors: ['NOT_FOUND', 'AMBIGUOUS_ID'] } } as const
  app.get('/api/gates/history', { config, schema }, async (request, reply) => {
    const { gate_name = null, id = null, ...query } = request.query
    const page = pageRequest(query, ['integer'], ['gate history', gate_name, id])
    return sendPage(request, reply, await gates.history({ gate_name, id }, page))
  })
}

function switchRoute(app: App, gates: GateRegistry): void {
  const schema = {
    operationId: 'setGate',
    tags,
    summary: 'Switch a gate on or off; what waits at it stays until it is decided',
    params: GateParameter,
    body: Type.Object({ enabled: Type.Boolean({ examples: [true] }) }, strict),
    response: { 200: Gate }
  }
  const config = { access: writes, documentation: { errors: ['CONFLICT', 'NOT_FOUND'] } } as const
  app.put('/api/gates/:gate_name', { config, schema }, async request => {
    const actor = principalOf(request).client_id
    return gates.set(request.params.gate_name, request.body.enabled ? 'on' : 'off', actor)
  })
}

const optionalOrNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const decisionFields = {
  id: Type.String({
    minLength: 8,
    maxLength: 36,
    description: 'Of the held task or post, or 8 or more of its first characters.',
    examples: ['3f2a9c1b']
  }),
  reason: optionalOrNull(Type.String({ maxLength: 10_000, description: 'Why, for the history and the writer.' })),
  content_hash: optionalOrNull(
    Type.String({
      maxLength: 64,
      description: 'Of the content the decision is about: refused when it is another by now.'
    })
  )
}
const DecisionRequest = Type.Object(decisionFields, { ...strict, title: 'DecisionRequest' })
const ApprovalRequest = Type.Object(
  {
    ...decisionFields,
    force: Type.Optional(
      Type.Boolean({
        description: 'Also when the draft nearly repeats another post, or lacks its niche.',
        examples: [true]
      })
    )
  },
  { ...strict, title: 'ApprovalRequest' }
)

function decideRoute(app: App, gates: GateRegistry, decision: 'approve' | 'reject', summary: string): void {
  const held = Type.Object(
    {},
    { additionalProperties: true, description: 'What was held, as it is now: a Topic, a Task or a Post.' }
  )
  const schema = {
    operationId: `${decision}AtGate`,
    tags,
    summary,
    params: GateParameter,
    body: decision === 'approve' ? ApprovalRequest : DecisionRequest,
    response: { 200: held }
  }
  const errors = ['AMBIGUOUS_ID', 'CONFLICT', 'CONTENT_CHANGED', 'NOT_FOUND'] as const
  const config = { access: writes, documentation: { errors } }
  app.post(`/api/gates/:gate_name/${decision}`, { config, schema }, async request => {
    const { id, reason = null, content_hash = null, ...others } = request.body
    const skipsChecks = 'force' in others && others.force === true
    const by = { actor: principalOf(request).client_id, reason, content_hash, skipsChecks }
    return gates[decision](request.params.gate_name, id, by)
  })
}
