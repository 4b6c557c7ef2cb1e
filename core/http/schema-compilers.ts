import ajvCompiler from '@fastify/ajv-compiler'
import serializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Log } from '../log.ts'

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Check = ((data: unknown) => unknown) & { errors?: unknown }
type Write = (data: unknown) => string
type Compile<Compiled> = (route: { method?: string; url?: string }) => Compiled

/** Compiles the schemas of the routes: each when it is first needed, because most of a start would go into it. */
export interface SchemaCompilers {
  factory: Factory
  /** Compiles what is left in the background, a moment after the app listens: the first to ask need not wait. */
  compileRest(app: FastifyInstance): void
}

/** The first requests come before what may never be asked for. */
const restAfterMs = 2_000

export function createSchemaCompilers(log: Log): SchemaCompilers {
  const waiting = new Map<() => unknown, string>()
  /** `compile` put off until `first` is called, once. */
  const once = <Compiled>(compile: Compile<Compiled>, route: { method?: string; url?: string }): (() => Compiled) => {
    let compiled: Compiled | undefined
    const first = () => {
      waiting.delete(first)
      compiled ??= compile(route)
      return compiled
    }
    waiting.set(first, `${route.method} ${route.url}`)
    return first
  }
  const laterChecks = (compile: Compile<Check>) => (route: object) => {
    const compiled = once(compile, route)
    const check: Check = data => {
      const run = compiled()
      const answer = run(data)
      check.errors = run.errors
      return answer
    }
    return check
  }
  const laterWrites = (compile: Compile<Write>) => (route: object) => {
    const compiled = once(compile, route)
    return (data: unknown) => compiled()(data)
  }
  const buildCheck = ajvCompiler()
  const buildWrite = serializerCompiler()
  const factory = {
    buildValidator: (schemas: never, options: never) => laterChecks(buildCheck(schemas, options) as never),
    buildSerializer: (schemas: never, options: never) => laterWrites(buildWrite(schemas, options) as never)
  } as unknown as Factory
  return { factory, compileRest: app => addCompileRest(app, waiting, log) }
}

function addCompileRest(app: FastifyInstance, waiting: Map<() => unknown, string>, log: Log): void {
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    const [entry] = waiting
    if (entry === undefined) return
    const [compile, route] = entry
    waiting.delete(compile)
    try {
      compile()
    } catch (error) {
      log.error({ route, err: error }, 'the schema of a route cannot be compiled: its requests will fail')
    }
    timer = setTimeout(next, 0).unref()
  }
  app.addHook('onListen', async () => {
    timer = setTimeout(next, restAfterMs).unref()
  })
  app.addHook('onClose', async () => clearTimeout(timer))
}
