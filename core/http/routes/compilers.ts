import createValidators from '@fastify/ajv-compiler'
import createSerializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance } from 'fastify'
import type { BootProblem } from '../../contract/boot-error.ts'
import { messageOf } from '../../unknown.ts'
import { ajvOptions } from '../input/validation.ts'

type Validate = ReturnType<FastifyInstance['validatorCompiler'] & {}>
type Serialize = ReturnType<FastifyInstance['serializerCompiler'] & {}>

interface CompilerDeps {
  /** A route for which it holds is compiled at the start. */
  isChecked(method: string, url: string): boolean
  /** Called with a route whose schema cannot be compiled at the start. */
  onFault(method: string, url: string, fault: Omit<BootProblem, 'plugin'>): void
}

/** One for the process: it compiles the schema of schemas once, and what several apps share. */
const createValidator = createValidators()

/** Fastify's own compilers. Each schema is compiled at its first use: all of them together were a third of a start. */
export function addCompilers(app: FastifyInstance, { isChecked, onFault }: CompilerDeps): void {
  const validatorOf = createValidator({}, ajvOptions)
  const serializerOf = createSerializers()()
  /** The boot stops after all faults were collected: until then `standIn` is in the place of what cannot be compiled. */
  const tryCompile = <T>(
    { method, url }: { method: string; url: string },
    part: string,
    compile: () => T,
    standIn: T
  ) => {
    try {
      return compile()
    } catch (error) {
      onFault(method, url, {
        cause: `a schema of its route ${method} ${url} cannot be compiled for ${part} (${messageOf(error)})`,
        remedy: 'Make it a JSON Schema, as Type.Object({ … }) of typebox gives.'
      })
      return standIn
    }
  }
  app.setValidatorCompiler<object>(route => {
    const compile = (): Validate => validatorOf(route)
    if (!isChecked(route.method, route.url)) return validateLater(compile)
    return tryCompile<Validate>(route, 'validation', compile, () => true)
  })
  app.setSerializerCompiler<object>(route => {
    const compile = (): Serialize => serializerOf({ httpStatus: '', ...route })
    if (!isChecked(route.method, route.url)) return serializeLater(compile)
    return tryCompile<Serialize>(route, 'serialization', compile, () => '')
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
