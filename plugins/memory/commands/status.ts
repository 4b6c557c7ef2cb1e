import { command, type Terminal } from '#core'
import { pluralized } from '#text/plural'
import { formatInstant } from '#time'
import type { Memory, MemoryCount, MemoryStats } from '../index.ts'

export const statusCommand = (memory: Memory) =>
  command({
    describe: 'Count embeddings by source table and writer',
    returns: 'MemoryStats',
    args: {},
    run: async () => memory.stats(),
    text: statusText
  })

function statusText(stats: MemoryStats, { timeZone }: Terminal): string {
  const { fault, refused, refusals, by_source_table, by_writer } = stats
  const group = (heading: string, counts: readonly MemoryCount[]) =>
    counts.length === 0 ? [] : [heading, ...counts.map(count => countText(count, timeZone))]
  return [
    ...(fault === null ? [] : [fault]),
    ...modelLines(stats),
    ...(refused === 0 ? [] : [`${pluralized(refused, 'passage')} refused by the embedder, found by words only:`]),
    ...refusals.map(
      ({ source_table, source_id, chunk, reason }) => `  ${source_table}/${source_id} #${chunk}: ${reason}`
    ),
    ...group('By source table:', by_source_table),
    ...group('By writer:', by_writer)
  ].join('\n')
}

/** The model that searches use, and how far the chosen one is. */
function modelLines({ total, pending, model, serving_model, dimensions }: MemoryStats): string[] {
  const isServing = serving_model === model
  const wanted = isServing ? total + pending : total
  // While two models wait for passages, more wait than the one that serves has.
  const share = Math.max(wanted - pending, 0) / Math.max(wanted, 1)
  const done = Math.floor(100 * share)
  const waiting = pending === 0 ? '' : `, ${pluralized(pending, 'passage')} waiting for one (${done} % done)`
  const embeddings = `${pluralized(total, 'embedding')} by ${serving_model}, ${dimensions} dimensions`
  return isServing ? [embeddings + waiting] : [embeddings, `${model} takes over once every passage has one${waiting}.`]
}

function countText({ key, count, oldest, newest }: MemoryCount, timeZone: string): string {
  const first = formatInstant(oldest, timeZone)
  const last = formatInstant(newest, timeZone)
  return `  ${key.padEnd(16)} ${String(count).padStart(8)}  ${first} to ${last}`
}
