export type GhostRow = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is GhostRow => typeof value === 'object' && value !== null

/** The rows of a table of the export. */
export function rowsOf(data: GhostRow, table: string): GhostRow[] {
  const rows = data[table]
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

/** A text of a row; null where it has none. */
export function columnText(row: GhostRow | undefined, field: string): string | null {
  const value = row?.[field]
  if (typeof value === 'string') return value.trim() === '' ? null : value
  return typeof value === 'number' ? String(value) : null
}

/** Times of early versions are milliseconds. */
export function columnTime(row: GhostRow, field: string): string | null {
  const value = row[field]
  if (typeof value !== 'number') return columnText(row, field)
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
