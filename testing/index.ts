/** `galley/testing`: what a plugin is tested with, in files that `node --test` runs. */
export { testPlugin } from './contract.ts'
export { startTestService } from './start.ts'
export type { Answer, CommandResult, ServiceOptions, TestService } from './test-service.ts'
export { until } from './until.ts'
