import { createPostgres } from '../../cli/database/postgres/postgres.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { job, jobType } from '../../core/contract/plugin.ts'
import { createJobs } from '../../core/jobs/jobs.ts'

/** A worker process that never finishes its job, and says when it has begun; or one that dies of it. */
const db = createPostgres({ url: process.argv[2] ?? '', max: 2 })
const jobs = createJobs({ db, log: createLog('warn') })
const hang = async () => {
  if (process.argv[3] === 'die') process.kill(process.pid, 'SIGKILL')
  process.stdout.write('begun\n')
  await new Promise(() => {})
}
jobs.register('child', [job(jobType('killed.hang'), hang)], [])
await jobs.start()
