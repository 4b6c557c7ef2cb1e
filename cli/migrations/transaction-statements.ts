import { ConflictError } from '../../core/contract/errors.ts'
import { idOf, type Migration } from '../../core/db/migrations/files.ts'
import { type Statement, splitStatements } from './sql-statements.ts'

/** Statements that begin or end a transaction. Those on savepoints stay within it. */
const statement =
  /^(?:begin|commit|end|abort|start\s+transaction|prepare\s+transaction|rollback(?!(?:\s+(?:work|transaction))?\s+to\b))\b/i
const beginning = /^(?:begin(?:\s+(?:work|transaction))?|start\s+transaction)$/i
const ending = /^(?:commit|end)(?:\s+(?:work|transaction))?$/i
const comment = /--[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * The statements of a part of a migration. A first `begin` with a last `commit` says only what is so without them, and is left
 * out: the file of an applied migration cannot be changed any more.
 */
export function statementsOf(part: string): Statement[] {
  const statements = splitStatements(part)
  const isIn = (form: RegExp, at: number) => form.test(wordsWithoutComments(statements.at(at)?.text ?? ''))
  return isIn(beginning, 0) && isIn(ending, -1) ? statements.slice(1, -1) : statements
}

const wordsWithoutComments = (text: string): string => text.replaceAll(comment, ' ').replaceAll(/\s+/g, ' ').trim()

/**
 * A migration runs in one transaction with its row: what it committed itself would stay when it fails, or be applied again.
 * @throws ConflictError naming each statement that begins or ends a transaction
 */
export function refuseTransactionStatements(migrations: readonly Migration[]): void {
  const faults = migrations.flatMap(migration =>
    [migration.up, migration.down ?? ''].flatMap(statementsOf).flatMap(({ text, line }) => {
      const found = statement.exec(wordsWithoutComments(text))?.[0]
      return found === undefined ? [] : [`${idOf(migration)}, line ${line}: "${found}" must not be in a migration.`]
    })
  )
  if (faults.length > 0)
    throw new ConflictError(
      `${faults.join(' ')} Each migration is applied in a transaction already: remove the statements that begin or end one. A database that has applied one refuses the changed file: leave that installation on its release.`
    )
}
