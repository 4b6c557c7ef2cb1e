import { firstWord } from '../framework/arguments.ts'
import { UsageError } from '../framework/usage-error.ts'

/** A refusal of a line with what is known of its command. It is loaded here, because a correct line does not need it. */
export async function explainRefusal(error: unknown, argv: readonly string[], configPath: string): Promise<unknown> {
  if (!(error instanceof UsageError)) return error
  const { explainUnknown } = await import('./unused-plugin.ts')
  return await explainUnknown(error, firstWord(argv), configPath)
}
