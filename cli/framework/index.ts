/** `#cli`: what the commands of plugins use: tables, text files, and what the queues say. */
export { hasWorker } from '../jobs/repository.ts'
export { queueTable } from './queue-table.ts'
export { type Column, fieldLines, listOf, pageTable, paint, pluralized, type TerminalFormat, table } from './table.ts'
export { readTextFile, type TextFileLimits } from './text-file.ts'
