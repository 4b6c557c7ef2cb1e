import type { ReservedNames } from '../core/kernel/contribution-rules.ts'
import { aliases } from './aliases.ts'
import { checkNames } from './checks/check-names.ts'

/** What no plugin may take. A group under a deprecated word would never run: those are replaced before anything reads them. */
export const reservedNames: ReservedNames = {
  commands: [
    'serve',
    'worker',
    'setup',
    'migrate',
    'plugins',
    'settings',
    'doctor',
    'backup',
    'demo',
    'completion',
    'jobs',
    'move',
    ...Object.keys(aliases)
  ],
  checks: checkNames
}
