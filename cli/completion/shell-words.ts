import type { Completions, Flag, Value } from './words.ts'

/** In single quotes a POSIX shell leaves everything as it is. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A word of a command that somebody copies: quoted where a shell would not take it as it is. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))

/** A flag's words as they are typed. */
export const flagWords = ({ word, alias }: Flag): string[] => (alias === undefined ? [word] : [word, `-${alias}`])
export const takesValue = (flag: Flag): flag is Flag & { value: Value } => flag.value !== 'none'

/** Flags behind which a value stands, as a pattern of \`case\`. */
export const valuePatterns = ({ commands }: Completions): string =>
  commands
    .flatMap(({ path, flags }) =>
      flags.filter(takesValue).flatMap(flag => flagWords(flag).map(word => shellQuoted(`${path} ${word}`)))
    )
    .join('|') || "''"
