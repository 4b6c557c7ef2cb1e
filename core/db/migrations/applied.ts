import type { Queryable } from '../../contract/database.ts'

export interface AppliedMigration {
  name: string
  namespace: string
  checksum: string
  applied_at: string
}

/** In the order they were applied; empty when nothing was ever migrated. Writes nothing. */
export async function listApplied(db: Queryable): Promise<AppliedMigration[]> {
  const [table] = await db.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
  if (!table?.exists) return []
  return db.query<AppliedMigration>(
    `select filename as name, namespace, checksum, applied_at from schema_migrations
     order by schema_migrations.applied_at, filename collate "C"`
  )
}
