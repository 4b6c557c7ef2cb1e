import type { BootProblem } from '../../core/contract/boot-error.ts'

/** What help and lists say of the plugins that they had to leave out. */
export const brokenPluginsWarning = (problems: readonly BootProblem[]): string =>
  [
    'warning: left out, because the service does not boot with it:',
    ...problems.map(({ plugin, cause, remedy }) => `- ${plugin}: ${cause}. ${remedy}`),
    '"galley plugins doctor" checks the plugins, "galley plugins disable <name>" starts without one.'
  ].join('\n')
