/** Texts that get a name. SQL is written by hand, so a service has some hundreds; the bound guards against SQL made in a loop. */
const maxNames = 1000

/** Names prepared statements: the same text has the same name on every connection, so that each parses it once. */
export interface StatementNames {
  /** The text's name; undefined, which means unnamed, once the map is full. */
  nameOf(text: string): string | undefined
  /** Gives the text a new name, because its prepared plan is no longer valid. */
  rename(text: string): void
}

export function createStatementNames(limit = maxNames): StatementNames {
  const names = new Map<string, string>()
  let last = 0
  const assign = (text: string) => {
    last += 1
    const name = `s${last}`
    names.set(text, name)
    return name
  }
  return {
    nameOf: text => names.get(text) ?? (names.size < limit ? assign(text) : undefined),
    rename: text => {
      if (names.has(text)) assign(text)
    }
  }
}
