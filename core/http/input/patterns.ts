import { visibleTextPattern } from './trimmed-length.ts'

/** Lower-case letters and digits in words joined by `-`; as a schema's `pattern`. */
export const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

/** What is said of a text that does not match a pattern, where that is said better in words. */
const inWords: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  [visibleTextPattern]: 'must not be blank',
  [slugPattern]: 'is not a slug: lower-case letters and digits in words joined by -'
}

/** Of any other pattern the description of its schema says what is wanted. */
export const patternFault = (pattern: string, description?: string): string =>
  inWords[pattern] ??
  (description ? `must match its description: ${description.replace(/\.$/, '')}` : `must match ${pattern}`)
