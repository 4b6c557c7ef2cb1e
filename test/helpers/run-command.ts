import { runProgram } from '../../core/command-run.ts'
import type { Kernel } from '../../core/kernel.ts'
import { recordSession } from './session.ts'

/** What a command line printed and how it ended. */
export interface CommandResult {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs a command of the plugins as the operator would type it, without the program's name. */
export async function runCommand(kernel: Kernel, ...argv: string[]): Promise<CommandResult> {
  const session = recordSession()
  const status = await runProgram({ name: 'galley', version: '0.0.0', program: kernel.commands }, argv, session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}
