import type { FastifyRequest, RouteOptions } from 'fastify'
import { type FieldErrors, InputError } from '../../contract/errors.ts'
import { coerce, forbidUnknownFields, isSchema } from './schemas.ts'
import { maxFaults, textFaults } from './text-faults.ts'
import { validationFields } from './validation.ts'

const noParameters = { type: 'object', properties: {}, additionalProperties: false }

/** Closes the route's input schemas, and checks its texts before the schemas are applied. */
export function readStrictly(route: RouteOptions): void {
  const schema = { ...route.schema }
  const wantsObject = isSchema(schema.body) && schema.body.type === 'object'
  schema.querystring = forbidUnknownFields(schema.querystring ?? noParameters)
  if (schema.params !== undefined) schema.params = forbidUnknownFields(schema.params)
  if (schema.body !== undefined) schema.body = forbidUnknownFields(schema.body)
  route.schema = schema
  const read = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void) => {
    const faults = faultsOfTexts(request)
    if (wantsObject && request.body === undefined) request.body = {}
    coerce(request.query, schema.querystring)
    coerce(request.params, schema.params)
    // Together with the faults against the schemas, so that the caller sees all at once.
    if (Object.keys(faults).length > 0) return done(new InputError({ ...validationFields(request), ...faults }))
    done(schema.body === undefined ? unexpectedBody(request) : undefined)
  }
  route.preValidation = [read, ...[route.preValidation ?? []].flat()]
}

function faultsOfTexts(request: FastifyRequest): FieldErrors {
  const { body: whole, ...fields } = {
    ...textFaults(request.params),
    ...textFaults(request.query),
    ...textFaults(request.body)
  }
  return whole === undefined ? fields : { body: whole, ...fields }
}

/** A JSON field that nobody reads is refused like any unknown one. Other kinds of bodies are the route's own business. */
function unexpectedBody({ body, routeOptions }: FastifyRequest): InputError | undefined {
  const isChecked = routeOptions.config.access?.kind === 'bearer'
  if (!isChecked || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return undefined
  const names = Object.keys(body).slice(0, maxFaults)
  const faults = names.map(name => [name.slice(0, 100), 'is not a known field'])
  return faults.length === 0 ? undefined : new InputError(Object.fromEntries(faults))
}
