import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, test } from 'node:test'
import { describeService, type ServiceDescription } from '../../cli/docs/service-description.ts'
import { missingFrom, surfaceOf } from '../../cli/docs/surface.ts'
import { packageRoot } from '../../core/paths.ts'

const description = await describeService({}, packageRoot)
const present = surfaceOf(description)

test('everything released is still there', () => {
  const released = readFileSync(path.join(packageRoot, 'docs', 'released-api.txt'), 'utf8')
    .split('\n')
    .filter(Boolean)
  assert.ok(released.length > 1000)
  const gone = missingFrom(present, released)
  assert.ok(gone.length === 0, `Released, and gone (npm run api:release says what to do):\n${gone.join('\n')}`)
})

/** A copy of the description that may be broken. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into any part of it
const copy = (): any => JSON.parse(JSON.stringify(description))

describe('a promise that is broken is named', () => {
  const post = (made: { openapi: { components: { schemas: Record<string, { properties: object }> } } }) =>
    made.openapi.components.schemas.Post?.properties as Record<string, unknown>
  const removals: Readonly<Record<string, [(made: ReturnType<typeof copy>) => void, string]>> = {
    'a route': [made => delete made.openapi.paths['/api/tags'], 'route GET /api/tags'],
    'a method': [made => delete made.openapi.paths['/api/posts/{slug}'].delete, 'route DELETE /api/posts/{slug}'],
    'an answer': [
      made => delete made.openapi.paths['/api/posts/{slug}'].get.responses['304'],
      'route GET /api/posts/{slug} answers 304'
    ],
    'a field': [made => delete post(made).word_count, 'route GET /api/posts/{slug} answers 200 word_count: integer'],
    'the type of a field': [
      made => {
        post(made).word_count = { type: 'string' }
      },
      'route GET /api/posts/{slug} answers 200 word_count: integer'
    ],
    'a code of a route': [
      made => delete made.openapi.paths['/api/tasks/{task_id}/reject'].post.responses['409'],
      'route POST /api/tasks/{task_id}/reject answers 409 TASK_IN_PROGRESS'
    ],
    'a code altogether': [
      made => made.openapi.components.schemas.ErrorBody.properties.error_code.enum.splice(0, 1),
      'error VALIDATION_ERROR'
    ],
    'a parameter': [
      made => made.openapi.paths['/api/posts'].get.parameters.splice(0, 1),
      'route GET /api/posts takes query status'
    ],
    'a field that may be left out': [
      made => made.openapi.components.schemas.NewTask.required.push('tags'),
      'route POST /api/tasks takes application/json tags, which may be left out'
    ],
    'a setting': [made => made.settings.splice(0, 1), `setting ${description.settings[0]?.key}`],
    'a command': [made => delete made.commands.tasks.commands.approve, 'command tasks approve'],
    'a flag': [made => delete made.commands.tasks.commands.reject.args.feedback, 'command tasks reject --feedback']
  }
  for (const [what, [remove, name]] of Object.entries(removals)) {
    it(what, () => {
      const made = copy() as ServiceDescription
      remove(made)
      const gone = missingFrom(surfaceOf(made), present)
      assert.ok(gone.includes(name), gone.slice(0, 10).join('\n'))
    })
  }
})

describe('a promise of the GraphQL schema that is broken is named', () => {
  const changes: Readonly<Record<string, [from: string | RegExp, to: string, line: string]>> = {
    'a type': [/enum MemorySourceTable \{[^}]*\}/, 'scalar MemorySourceTable', 'MemorySourceTable is an enum'],
    'a field': [/^ {2}slug: String!\n {2}name: String!$/m, '  slug: String!', 'Category.name: String'],
    'the type of a field': ['postCount: Int!', 'postCount: String!', 'Category.postCount: Int'],
    'that a field is never null': ['postCount: Int!', 'postCount: Int', 'Category.postCount is never null'],
    'that an item is never null': ['[Category!]!', '[Category]!', 'Query.categories[] is never null'],
    'that no token is needed': ['Post @public', 'Post @bearer(scope: "api:read")', 'Query.post needs no token'],
    'the scope': [
      'Setting @bearer(scope: "api:read")',
      'Setting @bearer(scope: "api:write")',
      'Query.setting is allowed to api:read'
    ],
    'an argument': ['setting(key: String!)', 'setting(name: String!)', 'Query.setting takes key: String'],
    'that an argument may be left out': [
      'related(slug: String!, limit: Int! = 5)',
      'related(slug: String!, limit: Int!)',
      'Query.related takes limit, which may be left out'
    ],
    'that an argument may be null': [
      'category: String, tag: String)',
      'category: String! = "", tag: String)',
      'Query.posts takes category, which may be null'
    ],
    'a value': [/^ {2}claude_sessions\n/m, '', 'MemorySourceTable = claude_sessions']
  }
  for (const [what, [from, to, line]] of Object.entries(changes)) {
    it(what, () => {
      const graphql = description.graphql.replace(from, to)
      const gone = missingFrom(surfaceOf({ ...description, graphql }), present)
      assert.ok(gone.includes(`graphql ${line}`), gone.slice(0, 10).join('\n'))
    })
  }
})

test('what is new breaks nothing', () => {
  const made = copy()
  made.openapi.components.schemas.Post.properties.subtitle = { type: 'string' }
  made.openapi.paths['/api/new'] = made.openapi.paths['/api/tags']
  made.graphql = made.graphql
    .replace('related(slug: String!, limit', 'related(slug: String, niche: String, limit')
    .replace(/^type Category \{$/m, 'scalar Niche\ntype Category { niche: Niche')
  assert.deepEqual(missingFrom(surfaceOf(made), present), [])
})
