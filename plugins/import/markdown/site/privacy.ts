import { fieldsIn, flagField, textField } from '#front-matter'
import { cutText } from '#text/excerpts'
import { readDate } from '../../dates.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields by which themes and plugins of generators hide a post, without `_` and `-`. */
const hidesWhereTrue = [
  'isDraft',
  'private',
  'isPrivate',
  'unlisted',
  'isUnlisted',
  'hidden',
  'secret',
  'isHidden',
  'encrypt',
  'encrypted',
  'protect',
  'protected',
  'passphrase',
  'passcode',
  'membersOnly',
  'subscribersOnly',
  'loginRequired',
  'confidential',
  'embargoed',
  'unpublished',
  'noPublish',
  'disabled',
  'deleted',
  'trashed',
  'wip',
  'eleventyExcludeFromCollections'
]
/** Of a page, which `hide` lists for Material for MkDocs. */
const pageParts = new Set(['navigation', 'toc', 'path', 'footer', 'tags', 'feedback'])
const hidesWhereFalse = [
  'public',
  'isPublished',
  'isPublic',
  'visible',
  'isVisible',
  'listed',
  'isListed',
  // Of a plugin of Obsidian.
  'dg-publish'
]
/** Which may have other values, such as an address. */
const hidesWhereOff = ['enabled', 'isEnabled', 'active', 'isActive', 'show', 'live', 'online']
const fieldsOfReaders = ['visibility', 'access']
/** Whom a post is for: words that are not known here hide it. */
const openWords = new Set('public published visible listed everyone anyone all free open access'.split(' '))
const fieldsOfStatus = ['status', 'postStatus', 'publishStatus', 'publicationStatus', 'state']
/** How far a post is: themes have words of their own for that, so only these hide it. */
const hidingWords = new Set(
  [
    'approval archived awaiting backlog coming confidential deleted disabled draft drafted drafting drafts editing',
    'embargo embargoed future held hidden hide hold idea inactive incomplete internal later locked members never no not',
    'offline outline paid paused pending planned planning postponed private progress protected queued rejected removed',
    'restricted review scheduled secret sketch soon staging submitted suspended tba tbd todo trash trashed unapproved',
    'unfinished unlisted unpublish unpublished unready unreleased unreviewed upcoming waiting wip withdrawn writing',
    'entwurf privat brouillon privé borrador privado rascunho bozza privato concept черновик 下書き 草稿 非公開 私密 초안'
  ]
    .join(' ')
    .split(' ')
)

/** Whether a value hides a post. */
type Hides = (value: unknown) => boolean

const flagOf = (value: unknown) => flagField({ value }, 'value')
const hidesUnless =
  (open: boolean): Hides =>
  value =>
    ![null, open].some(each => each === flagOf(value))

const rules = new Map<string, { name: string; hides: Hides }>(
  [
    ...hidesWhereTrue.map(name => ({ name, hides: hidesUnless(false) })),
    ...hidesWhereFalse.map(name => ({ name, hides: hidesUnless(true) })),
    ...hidesWhereOff.map(name => ({ name, hides: (value: unknown) => flagOf(value) === false })),
    { name: 'hide', hides: (value: unknown) => !isListOfParts(value) && hidesUnless(false)(value) },
    { name: 'publish', hides: (value: unknown) => !isDate(value) && hidesUnless(true)(value) },
    ...fieldsOfStatus.map(name => ({ name, hides: hidesByWords(words => words.some(word => hidingWords.has(word))) })),
    ...fieldsOfReaders.map(name => ({ name, hides: hidesByWords(words => words.some(word => !openWords.has(word))) }))
  ].map(rule => [plainName(rule.name), rule])
)

const isListOfParts = (value: unknown): boolean => Array.isArray(value) && value.every(part => pageParts.has(part))

/** Whether a field decides who is shown a post. */
export const isPrivacyName = (name: string): boolean => rules.has(plainName(name)) || name === 'password'

/** Objects in which Hugo and Zola have the fields of themes. */
export const fieldGroups = ['params', 'extra']

/** Why a post is a draft: its fields say that not everybody was shown it, or say what is not known here. */
export function privacyNotes(fields: Fields): string[] {
  const all = [fields, ...fieldGroups.map(name => fieldsIn(fields[name]))]
  const notes = all.flatMap(each =>
    Object.entries(each).flatMap(([name, value]) => {
      const rule = rules.get(plainName(name))
      if (rule?.hides(value) !== true) return []
      const shown = name === rule.name.toLowerCase() ? rule.name : name
      return [`its ${shown} is ${written(value)}, so it is a draft`]
    })
  )
  return all.some(hasPassword) ? [...notes, 'it has a password, so it is a draft'] : notes
}

/** As themes of Astro have `published` and `publish`, too. */
export function isDate(value: unknown): boolean {
  const text = textField({ value }, 'value')
  return text !== null && readDate(text, 'UTC') !== null
}

/** Names are written as `is_draft`, `is-draft` and `isDraft`. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/** A word may stand in a list, or be a flag. What is neither hides a post. */
function hidesByWords(areHiding: (words: readonly string[]) => boolean): Hides {
  return value => {
    const [only, ...more] = Array.isArray(value) ? value : [value]
    const flag = flagOf(only)
    if (more.length > 0) return true
    if (flag !== 'unreadable') return flag === false
    return typeof only !== 'string' || areHiding(statusWords(only))
  }
}

/** Of `on-hold`, `on_hold` and `onHold`, too. */
const statusWords = (text: string): string[] =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? []

/** It is not noted itself. */
const hasPassword = (fields: Fields): boolean =>
  textField(fields, 'password') !== null || hidesUnless(false)(fields.password)

const written = (value: unknown): string => cutText(JSON.stringify(value), 60)
