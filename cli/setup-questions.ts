import type { Terminal } from '../core/command.ts'
import { ConflictError } from '../core/errors.ts'

/** What a first setup may use as its database. */
export type DatabaseChoice = { kind: 'embedded' } | { kind: 'container' } | { kind: 'server'; url: string }

const serverUrl = /^postgres(ql)?:\/\/\S+$/

/** Asks the person at the terminal which database to use. @throws ConflictError when the input ends before the answer. */
export async function askForDatabase(terminal: Terminal): Promise<DatabaseChoice> {
  terminal.note('Where is the data to be kept?')
  terminal.note('  1  in the embedded database: nothing to install, one process, for trying out and small sites')
  terminal.note('  2  on a PostgreSQL server with pgvector')
  terminal.note('  3  in a PostgreSQL container that Docker starts here')
  const choice = await askUntil(terminal, 'Choose 1, 2 or 3 [1]:', text => /^[123]?$/.test(text))
  if (choice === '3') return { kind: 'container' }
  if (choice !== '2') return { kind: 'embedded' }
  const question = 'URL of the database, such as postgres://galley:password@db.internal:5432/galley:'
  return { kind: 'server', url: await askUntil(terminal, question, text => serverUrl.test(text)) }
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
