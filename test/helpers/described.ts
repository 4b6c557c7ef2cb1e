import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Value } from 'typebox/value'
import { codesIn } from '../../cli/docs/references.ts'
import { packageRoot } from '../../core/paths.ts'
import type { Document } from '../../plugins/openapi/types.ts'

type Operation = Document['paths'][string][string]
interface Sent {
  method: string
  target: string
  status: number
  headers: Headers
  body: unknown
}

let loaded: { document: Document; paths: { pattern: RegExp; operations: Record<string, Operation> }[] } | undefined

/** The document as it is checked in: a test of its own compares it with the code. */
function described() {
  if (loaded !== undefined) return loaded
  const document = JSON.parse(readFileSync(path.join(packageRoot, 'docs', 'openapi.json'), 'utf8')) as Document
  // Of two that fit, the one with fewer parameters is meant.
  const urls = Object.entries(document.paths).sort(([a], [b]) => parameters(a) - parameters(b))
  const paths = urls.map(([url, operations]) => ({ pattern: patternOf(url), operations }))
  loaded = { document, paths }
  return loaded
}

const parameters = (url: string): number => url.split('{').length
const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Fails when the API document does not tell of an answer: its status, its error code, its fields. */
export function assertDescribed({ method, target, status, headers, body }: Sent): void {
  const { document, paths } = described()
  const pathname = target.split('?', 1)[0] as string
  const operation = paths.find(({ pattern }) => pattern.test(pathname))?.operations[method.toLowerCase()]
  // A path of the test's own plugin, or a refusal of what there is not.
  if (operation === undefined) return
  const name = `${method} ${pathname} → ${status}`
  assert.match(headers.get('x-request-id') ?? '', /\S/, `${name} has no X-Request-ID`)
  const response = operation.responses[status]
  assert.ok(response !== undefined, `the API document does not tell of ${name} ${JSON.stringify(body).slice(0, 300)}`)
  const missing = [...headers.keys()].filter(header => !isDescribed(response, header))
  assert.deepEqual(missing, [], `the API document does not tell of these headers of ${name}`)
  const { error_code } = (body ?? {}) as { error_code?: string }
  if (error_code !== undefined) {
    const codes = codesIn(response)
    assert.ok(
      codes.includes(error_code),
      `the API document tells of ${codes.join(', ')} at ${name}, not of ${error_code}`
    )
  }
  if (typeof body !== 'object') return
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';', 1)
  const { schema } = response.content?.[mediaType] ?? {}
  if (schema === undefined) return
  const faults = Value.Errors(resolve(document, schema) as never, body)
  assert.deepEqual([...faults].slice(0, 3), [], `${name} answers what the API document does not tell of`)
}

/** Of HTTP itself, of the connection, of CORS. */
const usualHeaders =
  /^(connection|content-(disposition|encoding|language|length|type)|date|keep-alive|last-modified|pragma|transfer-encoding|vary|access-control-.+)$/

function isDescribed(response: unknown, header: string): boolean {
  const { headers = {} } = resolve(described().document, response) as { headers?: object }
  return usualHeaders.test(header) || Object.keys(headers).some(name => name.toLowerCase() === header)
}

const resolvedOnes = new WeakMap<object, unknown>()

/** A schema with every reference replaced by what it refers to. */
export function resolve(document: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = resolvedOnes.get(value)
  if (known !== undefined) return known
  const made = resolveOnce(document, value)
  resolvedOnes.set(value, made)
  return made
}

function resolveOnce(document: unknown, value: object): unknown {
  if (Array.isArray(value)) return value.map(each => resolve(document, each))
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(document, each)]))
  const steps = $ref.slice(2).split('/')
  const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
  assert.ok(target !== undefined, `${$ref} refers to nothing`)
  return resolve(document, target)
}
