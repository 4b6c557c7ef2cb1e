/** `#cli`: what the commands of plugins use: tables, text files, quoted words, and what the queues say. */

export { shellWord } from './completion/shell-words.ts'
export {
  type Column,
  fieldLines,
  listOf,
  pageTable,
  paint,
  type TerminalFormat,
  table
} from './framework/table.ts'
export { readBinaryFile, readTextFile } from './framework/text-file.ts'
export { queueTable } from './jobs/queue-table.ts'
export { hasWorker } from './jobs/repository.ts'
