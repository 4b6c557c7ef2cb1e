import { createConfig, lintFromString } from '@redocly/openapi-core'

/** What the linter finds in a description, a line each. */
export async function lint(description: string): Promise<string[]> {
  // A path with a word may stand beside one with a parameter: the service goes by the word first.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
  const problems = await lintFromString({ source: description, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? ''}: ${message}`)
}
