import type { Command, Terminal } from '../../core/contract/command.ts'
import type { ParsedArguments } from './arguments.ts'
import { UsageError } from './usage-error.ts'

interface Call {
  args: ParsedArguments['args']
  isJson: boolean
  terminal: Pick<Terminal, 'ask' | 'isInteractive'>
}

/**
 * Asks before a command that destroys. False when the answer is no.
 * @throws UsageError when what is lost cannot be had again and nobody can be asked.
 */
// biome-ignore lint/suspicious/noExplicitAny: the arguments were read by this very command’s definitions
export async function isConfirmed(command: Command<any, any>, { args, isJson, terminal }: Call): Promise<boolean> {
  const question = args.yes === true ? null : ((await command.confirm?.({ args, isJson })) ?? null)
  if (question === null) return true
  const { text, isIrreversible = false } = question
  if (!isIrreversible && (isJson || !terminal.isInteractive)) return true
  if (!terminal.isInteractive) {
    const fault = `there is no terminal to ask "${text}": add --yes to go on`
    throw new UsageError([{ field: 'yes', fault, text: fault }])
  }
  const answer = await terminal.ask(`${text} [y/N]`)
  return /^y(es)?$/i.test(answer ?? '')
}
