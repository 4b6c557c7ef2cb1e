/** `#cli`: what the commands of plugins show and read their texts with. */
export { queueTable } from './queue-table.ts'
export { type Column, counted, fieldLines, listOf, pageTable, paint, table } from './table.ts'
export { readTextFile, type TextFileLimits } from './text-file.ts'
