import { fieldsIn, flagField, textField } from '#front-matter'
import { cutText } from '#text/excerpts'
import { mayBeEmpty } from './permalink-template.ts'
import type { SiteFields } from './site/field-rule.ts'
import { isDate, privacyNotes } from './site/privacy.ts'

/** Whether the generator showed a post to everybody, and why not where no draft says so. `hidden`: why other files hide it. */
export function visibilityOf(
  file: string,
  fields: SiteFields,
  hidden: readonly string[]
): { is_public: boolean; notes: string[] } {
  const isDraft = flagField(fields, 'draft') === true || flagField(fields, 'published') === false
  const notes = [
    ...hidden,
    ...unreadable(fields, 'draft'),
    ...(isDate(fields.published) ? [] : unreadable(fields, 'published')),
    ...privacyNotes(fields),
    ...(mayBeEmpty(textField(permalinkOf(fields), 'permalink') ?? '')
      ? ['whether it had a page is in a template of its permalink, so it is a draft']
      : []),
    ...(isListed(fields) ? [] : ['its site had it in no list, so it is a draft']),
    ...(hasPage(fields) ? [] : ['its site made no page of it, so it is a draft'])
  ]
  return { is_public: !isDraft && notes.length === 0 && !file.split('/').includes('_drafts'), notes }
}

/** As themes of Astro have it: `published` is a date there. Null where it is none. */
export function publishedDate(fields: SiteFields): string | null {
  const name = ['published', 'publish'].find(each => isDate(fields[each]))
  return name === undefined ? null : textField(fields, name)
}

const unreadable = (fields: SiteFields, name: string): string[] =>
  flagField(fields, name) === 'unreadable'
    ? [`its ${name} is ${cutText(JSON.stringify(fields[name]), 60)}, neither true nor false, so it is a draft`]
    : []

/** Of Eleventy, which may have it as the `build` of an object. */
const permalinkOf = ({ permalink }: SiteFields): SiteFields =>
  typeof permalink === 'object' && permalink !== null
    ? { permalink: fieldsIn(permalink).build ?? false }
    : { permalink }

/** Hugo lists a page everywhere, in its section, or nowhere: who had no link did not find it. */
const isListed = (fields: SiteFields): boolean =>
  ['build', '_build'].every(name => {
    const { list = null } = fieldsIn(fields[name])
    return list !== 'never' && flagField({ list }, 'list') !== false
  })

/** Hugo renders what its `build` says, and no page without a head; Eleventy what has a permalink. */
function hasPage(fields: SiteFields): boolean {
  const isRendered = ['build', '_build'].every(name => {
    const { render = null } = fieldsIn(fields[name])
    return render === null || render === 'always' || flagField({ render }, 'render') === true
  })
  const headless = flagField(fields, 'headless')
  return (
    isRendered && (headless === null || headless === false) && flagField(permalinkOf(fields), 'permalink') !== false
  )
}
