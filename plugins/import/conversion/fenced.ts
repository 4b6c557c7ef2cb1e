/** A block of code, in a fence that its text does not have. */
export function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}\n${code.replace(/\n$/, '')}\n${fence}\n\n`
}
