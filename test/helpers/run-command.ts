export { runCommand } from '../../testing/service.ts'
export type { CommandResult } from '../../testing/test-service.ts'
