/** The values of each key; a key without any has an empty list. */
export function groupBy<Row, T>(
  keys: readonly string[],
  rows: readonly Row[],
  entryOf: (row: Row) => [key: string, value: T]
): Map<string, T[]> {
  const groups = new Map<string, T[]>(keys.map(key => [key, []]))
  for (const [key, value] of rows.map(entryOf)) groups.get(key)?.push(value)
  return groups
}
