import { openMemory, startServiceOn } from './service.ts'
import type { ServiceOptions, TestService } from './test-service.ts'

/**
 * Starts galley with its own plugins and the given ones on an empty database in memory. Close it when the test is done.
 * @throws BootError naming each plugin that is wrong, and why.
 */
export const startTestService = async (options: ServiceOptions = {}): Promise<TestService> =>
  startServiceOn(await openMemory(), { ...options, pending: true })
