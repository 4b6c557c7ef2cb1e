import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { withSchema } from '../../cli/docs/graphql-page.ts'
import { describeService } from '../../cli/docs/service-description.ts'
import { packageRoot } from '../../core/paths.ts'
import { graphqlSettings } from '../../plugins/graphql/settings.ts'

const page = readFileSync(path.join(packageRoot, 'docs', 'graphql.md'), 'utf8')

test('docs/graphql.md has the schema that the plugins make', async () => {
  const { graphql } = await describeService({}, packageRoot)
  assert.ok(page === withSchema(page, graphql), 'docs/graphql.md is not up to date: run npm run docs')
  assert.match(page, /^type Query \{$/m)
})

test('docs/graphql.md names every setting of the plugin', () => {
  for (const key of Object.keys(graphqlSettings)) assert.ok(page.includes(`\`${key}\``), key)
})
