// Not on a server: documents are made from the code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, test } from 'node:test'
import { Value } from 'typebox/value'
import { madeDocuments } from '../../cli/docs/documents.ts'
import { codesIn } from '../../cli/docs/references.ts'
import { describeService } from '../../cli/docs/service-description.ts'
import { packageRoot } from '../../core/paths.ts'
import { resolve } from '../helpers/described.ts'
import { startService } from '../helpers/service.ts'

const description = await describeService({}, packageRoot)
const { errors, openapi } = description

for (const [file, made] of Object.entries(madeDocuments(description))) {
  test(`docs/${file} says what the code says`, () => {
    const written = readFileSync(path.join(packageRoot, 'docs', file), 'utf8')
    assert.ok(written === made, `docs/${file} is not up to date: run npm run docs`)
  })
}

interface Node {
  schema?: unknown
  example?: unknown
  examples?: Record<string, { value: unknown }>
  [key: string]: unknown
}
const operations = Object.entries(openapi.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${url}`, method, url, operation }))
)

const resolved = (value: unknown) => resolve(openapi, value)

describe('the API document', () => {
  it('has an example for every parameter that must be given, every body and every answer, and each fits its schema', () => {
    for (const { name, operation } of operations) {
      const { parameters, requestBody, responses } = resolved(operation) as {
        parameters: (Node & { name: string; in: string })[]
        requestBody?: { content: Record<string, Node> }
        responses: Record<string, { content?: Record<string, Node> }>
      }
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
      const shown = contents
        .flatMap(content => Object.values(content ?? {}))
        .filter(({ schema }) => (schema as Node).format !== 'binary')
      for (const each of [...shown, ...parameters.filter(parameter => parameter.in === 'path')]) {
        const examples =
          each.examples === undefined ? [each.example] : Object.values(each.examples).map(({ value }) => value)
        for (const example of examples) {
          assert.notEqual(example, undefined, `${name} lacks an example`)
          const faults = Value.Errors(each.schema as never, example)
          assert.deepEqual([...faults], [], `${name}: ${JSON.stringify(example)}`)
        }
      }
    }
  })

  it('names the request id on every answer, and what the status wants', () => {
    const wanted: Record<string, string> = {
      401: 'WWW-Authenticate',
      403: 'WWW-Authenticate',
      429: 'Retry-After',
      416: 'Content-Range',
      301: 'Location',
      304: 'ETag',
      206: 'Content-Range'
    }
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const { headers = {}, description: text } = resolved(response) as { headers?: object; description: string }
        assert.match(text, /\S/, name)
        assert.ok('X-Request-ID' in headers, `${name} ${status}`)
        const header = wanted[status]
        if (header !== undefined) assert.ok(header in headers, `${name} ${status} lacks ${header}`)
      }
    }
  })

  it('names each operation once, and each has a summary and a tag that is described', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(ids, [...new Set(ids)])
    const tags = openapi.tags as { name: string; description?: string }[]
    for (const { name, operation } of operations) {
      assert.match(String(operation.summary), /\S/, name)
      const [tag] = operation.tags ?? []
      assert.match(tags.find(each => each.name === tag)?.description ?? '', /\S/, name)
    }
  })

  it('has every code that a request can be answered with', () => {
    const used = new Set(operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap(codesIn)))
    // What a header asks for, on whatever route.
    const elsewhere = ['EXPECTATION_FAILED']
    assert.deepEqual([...used, ...elsewhere].sort(), Object.keys(errors).sort())
  })
})

test('every route is described, and every described route is there', async t => {
  // The pages of the site are for browsers, and no part of the API.
  const service = await startService({ worker: false, leftOut: ['site'] })
  t.after(service.close)
  const registered = routesOf(service.app.printRoutes({ commonPrefix: false }))
  const described = operations.map(({ method, url }) => `${method.toUpperCase()} ${formOf(url)}`)
  assert.deepEqual(described.sort(), registered.filter(route => !/^\w+ (\/docs|\*)/.test(route)).sort())
})

const formOf = (url: string): string => url.replace(/\{\w+\}/g, ':')

/** Fastify prints its routes as a tree: each line is a part of a path, deeper than the one it belongs to. */
function routesOf(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, branch = '', part = '', methods = ''] = /^([ │├└─]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === '') return []
    const depth = branch.length / 4 - 1
    parts.splice(depth, parts.length, part)
    const url = parts.join('').replace(/(:\w+\|?)+/g, ':')
    return methods
      .split(', ')
      .filter(method => !['', 'HEAD', 'OPTIONS'].includes(method))
      .map(method => `${method} ${url}`)
  })
}
