/** As a JSON Schema has it. */
export const serverUrlPattern = '^postgres(ql)?://'

/** What the URL of a server must be, for messages: the URL itself may hold a password. */
export const serverUrlForm = 'a URL that begins with postgres:// or postgresql://'

export const isServerUrl = (text: string): boolean => new RegExp(serverUrlPattern).test(text)

/** What a URL lacks that names no database; undefined for one that does. PGDATABASE may differ from process to process. */
export const databaseFault = (url: string): string | undefined =>
  URL.canParse(url) && new URL(url).pathname.length < 2
    ? 'must name a database, whatever PGDATABASE says: put its name behind the address, such as postgres://galley@db.internal:5432/galley'
    : undefined

/** What may be shown of something that should be such a URL: the rest may hold a password. */
export const schemeOf = (text: string): string => /^\w+:\/\//.exec(text)?.[0] ?? 'this'

/** The same URL without the characters that a line of `bootstrap.env` gives a meaning of their own. */
export const encodeQuotes = (url: string | undefined): string | undefined =>
  url
    ?.trim()
    .replace(/['"`\s]/g, character => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
