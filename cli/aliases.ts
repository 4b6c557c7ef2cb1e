import { isJsonFlag } from './framework/arguments.ts'

/** Deprecated command words, and what is called instead. They work for one more release; help and completion leave them out. */
export const aliases: Readonly<Record<string, readonly string[]>> = {
  post: ['posts'],
  approve: ['gates', 'approve'],
  reject: ['gates', 'reject'],
  'list-pending': ['gates', 'list'],
  'show-pending': ['gates', 'show-pending'],
  'approve-publish': ['schedule', 'approve'],
  'reject-publish': ['schedule', 'reject'],
  'list-pending-publish': ['schedule', 'pending'],
  'show-pending-publish': ['schedule', 'show-pending'],
  'publish-at': ['schedule', 'at']
}

/** A command line with its deprecated word replaced; everything else stays as it was given. `notice` says so, or is null. */
export function replaceAlias(
  name: string,
  argv: readonly string[]
): { argv: readonly string[]; notice: string | null } {
  const at = argv.findIndex(word => !isJsonFlag(word))
  const word = argv[at] ?? ''
  const instead = Object.hasOwn(aliases, word) ? aliases[word] : undefined
  if (instead === undefined) return { argv, notice: null }
  const now = [...argv.slice(0, at), ...instead, ...argv.slice(at + 1)]
  return { argv: now, notice: `warning: "${name} ${word}" is deprecated: use "${name} ${instead.join(' ')}"` }
}
