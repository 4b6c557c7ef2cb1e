import { fieldsIn } from '#front-matter'
import { privacyNames } from './privacy.ts'

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

/** Fields that decide who is shown a post. */
export const decidingNames: readonly string[] = ['draft', 'published', 'permalink', ...privacyNames]

/** What Eleventy computes of them. Others are texts with templates in them. Of several the last counts. Source: https://www.11ty.dev/docs/data-computed/ */
const computedOf = (all: readonly SiteFields[]): SiteFields =>
  Object.fromEntries(
    all
      .flatMap(fields => Object.entries(fieldsIn(fields.eleventycomputed)))
      .filter(([name]) => decidingNames.includes(name))
  )

/** The fields of a post, with what others say of it. The last of them counts most, and what is computed more than all. */
export function withInherited(fields: SiteFields, rules: readonly FieldRule[]): SiteFields {
  const inherited: Record<string, unknown> = {}
  for (const { values } of rules) Object.assign(inherited, values)
  for (const names of synonyms)
    if (names.some(name => fields[name] !== undefined)) for (const name of names) delete inherited[name]
  const computed = computedOf([...rules.map(({ values }) => values ?? {}), fields])
  return { ...inherited, ...fields, ...computed }
}

/** Why posts are drafts, by what says something of them and cannot be read. */
export const unreadableRules = (rules: readonly FieldRule[]): string[] =>
  rules.flatMap(({ file, values }) => (values === null ? [`${file} cannot be read, so it is a draft`] : []))
