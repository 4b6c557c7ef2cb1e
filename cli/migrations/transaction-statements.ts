import { ConflictError } from '../../core/contract/errors.ts'
import { idOf, type Migration } from '../../core/db/migrations/files.ts'
import { splitStatements } from './sql-statements.ts'

/** Statements that begin or end a transaction. Those on savepoints stay within it. */
const statement =
  /^(?:begin|commit|end|abort|start\s+transaction|prepare\s+transaction|rollback(?!(?:\s+(?:work|transaction))?\s+to\b))\b/i
const comment = /--[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * A migration runs in one transaction with its row: what it committed itself would stay when it fails, or be applied again.
 * @throws ConflictError naming each statement that begins or ends a transaction
 */
export function refuseTransactionStatements(migrations: readonly Migration[]): void {
  const faults = migrations.flatMap(migration =>
    [migration.up, migration.down ?? ''].flatMap(splitStatements).flatMap(({ text, line }) => {
      const found = statement.exec(text.replaceAll(comment, ' '))?.[0].replaceAll(/\s+/g, ' ')
      return found === undefined ? [] : [`${idOf(migration)}, line ${line}: "${found}" must not be in a migration.`]
    })
  )
  if (faults.length > 0)
    throw new ConflictError(
      `${faults.join(' ')} Each migration is applied in a transaction already: remove the statements that begin or end one.`
    )
}
