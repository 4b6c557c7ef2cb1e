import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownNamespace } from '../../../../core/db/migrations/files.ts'
import { type MigrationState, problemsOf } from '../../../../core/db/migrations/status.ts'

const status = (name: string, state: MigrationState) => ({
  ...{ name, state, namespace: ownNamespace, applied_at: null, reversible: false }
})

test('migrations that the code lacks are told in one sentence', () => {
  assert.deepEqual(problemsOf([status('a.sql', 'applied'), status('b.sql', 'pending')]), [])
  assert.match(problemsOf([status('a.sql', 'missing')]).join(), /^The database has the migration a\.sql, which/)
  const many = problemsOf(['a', 'b', 'c', 'd'].map(name => status(name, 'missing')))
  assert.equal(many.length, 1)
  assert.match(many[0] ?? '', /^The database has 4 migrations \(a, b, c and more\), which this version lacks: run/)
})
