import { flagField, textField } from '#front-matter'
import { cutText } from '#text/excerpts'

type Fields = Readonly<Record<string, unknown>>

/** Fields by which themes and plugins of generators hide a post. */
const hidesWhereTrue = ['isDraft', 'private', 'isPrivate', 'unlisted', 'hidden', 'isHidden', 'encrypted', 'protected']
const hidesWhereFalse = ['publish', 'public', 'isPublished', 'isPublic', 'visible', 'isVisible']
/** Of those with words: what everybody was shown. Words that are not known here hide a post, too. */
const openWords: Readonly<Record<string, string>> = {
  status:
    'public publish published posted live active final done complete completed finished evergreen budding seedling',
  visibility: 'public published visible listed everyone all'
}

/** In lower case, as fields are named. */
export const privacyNames: readonly string[] = [
  ...hidesWhereTrue,
  ...hidesWhereFalse,
  ...Object.keys(openWords),
  'password'
].map(name => name.toLowerCase())

/** Why a post is a draft: its fields say that not everybody was shown it, or say what is not known here. */
export function privacyNotes(fields: Fields): string[] {
  const hiding = [
    ...hidesWhereTrue.filter(name => isOtherThan(false, flagField(fields, name))),
    ...hidesWhereFalse.filter(name => isOtherThan(true, flagField(fields, name))),
    ...Object.entries(openWords).flatMap(([name, words]) => (isAmong(words, fields[name]) ? [] : [name]))
  ]
  const notes = hiding.map(name => `its ${name} is ${written(fields[name.toLowerCase()])}, so it is a draft`)
  return hasPassword(fields) ? [...notes, 'it has a password, so it is a draft'] : notes
}

const isOtherThan = (open: boolean, flag: ReturnType<typeof flagField>): boolean => flag !== null && flag !== open

function isAmong(words: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'string') return false
  const word = value.trim().toLowerCase()
  return word === '' || words.split(' ').includes(word)
}

/** It is not noted itself. */
const hasPassword = (fields: Fields): boolean =>
  textField(fields, 'password') !== null || isOtherThan(false, flagField(fields, 'password'))

const written = (value: unknown): string => cutText(JSON.stringify(value), 60)
