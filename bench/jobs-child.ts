import { createPostgres } from '../cli/database/postgres/postgres.ts'
import { createLog } from '../cli/log/json-log.ts'
import { job, jobType } from '../core/contract/plugin.ts'
import { createJobs } from '../core/jobs/jobs.ts'

/** Another process of the measurement: answers each job with the time it was picked up at, and hangs in one. */
const db = createPostgres({ url: process.argv[2] ?? '', max: 4 })
const jobs = createJobs({ db, log: createLog('error') })
const pickUp = async ({ n }: { n: number }) => void process.send?.({ n, at: Date.now() })
const hang = async () => {
  process.send?.({ n: -1, at: Date.now() })
  await new Promise(() => {})
}
jobs.register(
  'bench',
  [
    job(jobType<{ n: number }>('bench.pick-up'), pickUp),
    job(jobType('bench.hang'), process.argv[3] === 'hang' ? hang : () => pickUp({ n: -2 }))
  ],
  []
)
await jobs.start()
process.send?.({ n: 0, at: Date.now() })
