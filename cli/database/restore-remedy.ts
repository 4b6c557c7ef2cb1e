/** What to do about a folder that holds no whole database. */
export const restoreDataRemedy = (data: string): string =>
  `put a whole copy of it back; or move ${data} away, run galley setup --force, and restore a backup with galley backup restore FILE`
