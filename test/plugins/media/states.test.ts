import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { findJob, moveJob } from '../../../plugins/media/repository/jobs.ts'
import { type MediaJobMove, type MediaJobState, mediaJobStates, transitions } from '../../../plugins/media/states.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

test("the database's check constraint lists the states of a media job", () => {
  const baseline = readFileSync(new URL('../../../migrations/20261120_000000_baseline.sql', import.meta.url), 'utf8')
  const listed = /constraint media_jobs_state check \(state in \(([^)]*)\)\)/.exec(baseline)?.[1] ?? ''
  assert.deepEqual(
    listed.split(', ').map(name => name.slice(1, -1)),
    mediaJobStates
  )
})

const moves = Object.keys(transitions) as MediaJobMove[]
for (const state of mediaJobStates)
  test(`a media job that is ${state} moves as the table says, and not otherwise`, async () => {
    for (const move of moves) {
      const sql =
        'insert into media_jobs (post_id, media, hash, state, requested_by) values ($1, $2, $3, $4, $5) returning job_id'
      const [row] = await service.db.query<{ job_id: string }>(sql, [randomUUID(), ['podcast'], move, state, 'test'])
      assert.ok(row)
      const { from, to }: { from: readonly MediaJobState[]; to: MediaJobState } = transitions[move]
      const isLegal = from.includes(state)
      assert.equal(await moveJob(service.db, row.job_id, move), isLegal, move)
      assert.equal((await findJob(service.db, row.job_id))?.state, isLegal ? to : state, move)
    }
  })
