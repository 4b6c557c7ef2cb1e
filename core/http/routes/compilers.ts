import createValidators from '@fastify/ajv-compiler'
import createSerializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'
import { ajvOptions } from '../input/validation.ts'

type Validate = ReturnType<FastifyInstance['validatorCompiler'] & {}>
type Serialize = ReturnType<FastifyInstance['serializerCompiler'] & {}>

/**
 * Fastify's own compilers. Each schema is compiled at its first use: all of them together were a third of a start.
 * A route for which `isChecked` holds is compiled at the start, which refuses a wrong schema.
 */
export function addCompilers(app: FastifyInstance, isChecked: (method: string, url: string) => boolean): void {
  const validatorOf = createValidators()({}, ajvOptions)
  const serializerOf = createSerializers()()
  app.setValidatorCompiler<object>(route => {
    const compile = (): Validate => validatorOf(route)
    return isChecked(route.method, route.url) ? compile() : validateLater(compile)
  })
  app.setSerializerCompiler<object>(route => {
    const compile = (): Serialize => serializerOf({ httpStatus: '', ...route })
    return isChecked(route.method, route.url) ? compile() : serializeLater(compile)
  })
}

/** Its callers read the faults from the function itself. */
function validateLater(compile: () => Validate): Validate {
  let compiled: Validate | undefined
  const validate: Validate = value => {
    compiled ??= compile()
    const result = compiled(value)
    validate.errors = compiled.errors
    return result
  }
  return validate
}

function serializeLater(compile: () => Serialize): Serialize {
  let compiled: Serialize | undefined
  return value => {
    compiled ??= compile()
    return compiled(value)
  }
}
