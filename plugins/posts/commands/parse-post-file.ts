// For `bounded`, which runs it in a child process: a file may come from anybody.
import { knownFieldNames, type PostFields, readFrontMatter, saidOfPost, textField } from '#front-matter'

/** A markdown file, divided. */
export interface ParsedPostFile {
  body: string
  said: PostFields & { niche: string | null }
  /** Names of fields that a post made by hand has no place for. */
  others: string[]
}

/** @throws Error for front matter that cannot be read */
export function parsePostFile(file: string): ParsedPostFile {
  const { fields, body } = readFrontMatter(file, { isLenient: false })
  const said = { ...saidOfPost(fields), niche: textField(fields, 'niche') }
  const known = new Set(['niche', ...knownFieldNames])
  return { body, said, others: Object.keys(fields).filter(name => !known.has(name)) }
}
