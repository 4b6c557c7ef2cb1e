import { createPostgres } from '../../core/db/postgres.ts'
import { createJobs } from '../../core/jobs.ts'
import { createLog } from '../../core/log.ts'
import { job, jobType } from '../../core/plugin.ts'

/** A worker process that never finishes its job; it says when it has begun. */
const db = createPostgres({ url: process.argv[2] ?? '', max: 2 })
const jobs = createJobs({ db, log: createLog('warn') })
const hang = async () => {
  process.stdout.write('begun\n')
  await new Promise(() => {})
}
jobs.register('child', [job(jobType('killed.hang'), hang)], [])
await jobs.start()
