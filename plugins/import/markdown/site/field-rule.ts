import { fieldsIn } from '#front-matter'
import { fieldGroups, isPrivacyName } from './privacy.ts'

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

/** Whether a field decides who is shown a post. */
export const isDeciding = (name: string): boolean =>
  ['draft', 'published', 'permalink'].includes(name) || isPrivacyName(name)

/** What Eleventy computes of them. Others are texts with templates in them. Of several the last counts. Source: https://www.11ty.dev/docs/data-computed/ */
const computedOf = (all: readonly SiteFields[]): SiteFields =>
  Object.fromEntries(
    all.flatMap(fields => Object.entries(fieldsIn(fields.eleventycomputed))).filter(([name]) => isDeciding(name))
  )

/** The fields of a post, with what others say of it. The last of them counts most, and what is computed more than all. */
export function withInherited(fields: SiteFields, rules: readonly FieldRule[]): SiteFields {
  let inherited: SiteFields = {}
  for (const { values } of rules) inherited = { ...inherited, ...values, ...groupsOf(inherited, values ?? {}) }
  const said = synonyms.filter(names => names.some(name => fields[name] !== undefined)).flat()
  const left = Object.fromEntries(Object.entries(inherited).filter(([name]) => !said.includes(name)))
  const computed = computedOf([...rules.map(({ values }) => values ?? {}), fields])
  return { ...left, ...fields, ...groupsOf(inherited, fields), ...computed }
}

/** Objects with fields of themes: Hugo takes each of these from where it is said last. */
const groupsOf = (inherited: SiteFields, fields: SiteFields): SiteFields =>
  Object.fromEntries(
    fieldGroups.flatMap(name => {
      const merged = { ...fieldsIn(inherited[name]), ...fieldsIn(fields[name]) }
      return Object.keys(merged).length === 0 ? [] : [[name, merged]]
    })
  )

/** Why posts are drafts, by what says something of them and cannot be read. */
export const unreadableRules = (rules: readonly FieldRule[]): string[] =>
  rules.flatMap(({ file, values }) => (values === null ? [`${file} cannot be read, so it is a draft`] : []))
