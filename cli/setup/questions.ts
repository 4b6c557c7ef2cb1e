import type { Terminal } from '../../core/contract/command.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import { isServerUrl } from '../config/server-url.ts'

/** What a first setup may use as its database. */
type DatabaseChoice = { kind: 'embedded' } | { kind: 'container' } | { kind: 'server'; url: string }

/** What the answers are tried with. Each returns what is wrong, or null. */
export interface DatabaseProbes {
  docker(): Promise<string | null>
  server(url: string): Promise<string | null>
}

/**
 * Asks the person at the terminal which database to use, until one answers.
 * @throws ConflictError when the input ends before that.
 */
export async function askForDatabase(terminal: Terminal, probes: DatabaseProbes): Promise<DatabaseChoice> {
  terminal.note('Where is the data to be kept?')
  terminal.note('  1  in the embedded database: nothing to install, one process, for trying out and small sites')
  terminal.note('  2  on a PostgreSQL server with pgvector')
  terminal.note('  3  in a PostgreSQL container that Docker starts here')
  for (;;) {
    const answer = await askUntil(terminal, 'Choose 1, 2 or 3 [1]:', text => /^[123]?$/.test(text))
    if (answer === '2') return { kind: 'server', url: await askForServer(terminal, probes) }
    if (answer !== '3') return { kind: 'embedded' }
    const fault = await probes.docker()
    if (fault === null) return { kind: 'container' }
    terminal.note(fault)
  }
}

async function askForServer(terminal: Terminal, { server }: DatabaseProbes): Promise<string> {
  const question = 'URL of the database, such as postgres://galley:password@db.internal:5432/galley:'
  for (;;) {
    const url = await askUntil(terminal, question, text => isServerUrl(text) && !/\s/.test(text))
    const fault = await server(url)
    if (fault === null) return url
    terminal.note(fault)
  }
}

async function askUntil(terminal: Terminal, question: string, isAnswer: (text: string) => boolean): Promise<string> {
  for (;;) {
    const answer = await terminal.ask(question)
    if (answer === null)
      throw new ConflictError('The input ended before the question was answered: nothing was set up.')
    if (isAnswer(answer)) return answer
    terminal.note('That is not an answer to the question.')
  }
}
