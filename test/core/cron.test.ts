import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronFault } from '../../core/jobs/cron.ts'

for (const cron of [
  '* * * * *',
  '*/15 * * * *',
  '0 4 * * mon-fri',
  '5,35 0-6/2 1 JAN,jul 7',
  '0 0 L * 5#3',
  ' 0  4 * * * '
])
  test(`${cron} is a cron expression`, () => assert.equal(cronFault(cron), null))

for (const [cron, fault] of [
  ['', /has 1 fields/],
  ['not a cron', /has 3 fields/],
  ['0 0 4 * * *', /has 6 fields/],
  ['60 * * * *', /minute/],
  ['0 24 * * *', /hour/],
  ['0 0 0 * *', /day of the month/],
  ['0 0 1 13 *', /month/],
  ['0 0 1 1 8', /day of the week/],
  ['*/0 * * * *', /minute/],
  ['*/1/2 * * * *', /minute/],
  ['1- * * * *', /minute/],
  ['often * * * *', /minute/]
] as const)
  test(`${cron} is none`, () => assert.match(cronFault(cron) ?? '', fault))
