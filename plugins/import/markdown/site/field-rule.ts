/** SiteFields by their names in lower case. */
export type SiteFields = Readonly<Record<string, unknown>>

/** What a file of the site says of posts: fields of those that do not have them. Null where that file cannot be read. */
export interface FieldRule {
  file: string
  values: SiteFields | null
}

/** Names of one thing: who says one of them says nothing by the other. */
const synonyms = [
  ['author', 'authors'],
  ['category', 'categories'],
  ['tag', 'tags']
]

/** The fields of a post, with what others say of it. The last of them counts most. */
export function withInherited(fields: SiteFields, rules: readonly FieldRule[]): SiteFields {
  const inherited: Record<string, unknown> = {}
  for (const { values } of rules) Object.assign(inherited, values)
  for (const names of synonyms)
    if (names.some(name => fields[name] !== undefined)) for (const name of names) delete inherited[name]
  return { ...inherited, ...fields }
}

/** Why posts are drafts, by what says something of them and cannot be read. */
export const unreadableRules = (rules: readonly FieldRule[]): string[] =>
  rules.flatMap(({ file, values }) => (values === null ? [`${file} cannot be read, so it is a draft`] : []))
