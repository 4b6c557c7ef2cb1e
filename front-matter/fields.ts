/** A field by the first of its names that has a text; null when none has. */
export function textField(fields: Readonly<Record<string, unknown>>, ...names: string[]): string | null {
  for (const name of names) {
    const text = textOf(fields[name.toLowerCase()])
    if (text !== null) return text
  }
  return null
}

/** A list, or what is written in one line: with commas, or with blanks where `isByBlanks`. */
export function listField(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { isByBlanks = false } = {}
): string[] {
  return names.flatMap(name => {
    const value = fields[name.toLowerCase()]
    if (Array.isArray(value)) return value.flatMap(each => textOf(each) ?? [])
    const text = textOf(value)
    if (text === null) return []
    if (text.includes(',')) return text.split(',').flatMap(each => textOf(each) ?? [])
    return isByBlanks ? text.split(/\s+/) : [text]
  })
}

/** As YAML 1.1 has them, which Jekyll and older Hugo read, and as programs write them. */
const flagWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  y: true,
  false: false,
  no: false,
  off: false,
  n: false,
  0: false,
  1: true
}

/** True or false, also as a word in any case, 0 or 1; null where it is missing or empty, and `unreadable` for all else. */
export function flagField(fields: Readonly<Record<string, unknown>>, name: string): boolean | 'unreadable' | null {
  const value = fields[name.toLowerCase()]
  if (typeof value === 'boolean') return value
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number') return 'unreadable'
  const word = String(value).trim().toLowerCase()
  if (word === '') return null
  return Object.hasOwn(flagWords, word) ? (flagWords[word] ?? null) : 'unreadable'
}

/** The fields of an object, with names in lower case, as Hugo takes them; none of anything else. */
export function fieldsIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]))
}

/** An author or a picture may be an object: its name, or its address. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() || null
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const known = new Map<string, unknown>(Object.entries(value))
  return ['name', 'src', 'url', 'image'].map(name => textOf(known.get(name))).find(text => text !== null) ?? null
}

/** What the fields of a file say of its post, whatever its site generator calls them. */
export interface PostFields {
  title: string | null
  slug: string | null
  excerpt: string | null
  categories: string[]
  tags: string[]
  authors: string[]
  seo_description: string | null
  /** As it stands there: an address, or a path of the site. */
  image: string | null
  language: string | null
}

/** The names of each, as the generators have them. */
const names = {
  title: ['title'],
  slug: ['slug'],
  excerpt: ['excerpt', 'description', 'summary'],
  categories: ['category', 'categories'],
  tags: ['tag', 'tags'],
  authors: ['author', 'authors'],
  seo_description: ['description'],
  image: ['image', 'heroImage', 'cover', 'featured_image', 'feature_image', 'thumbnail', 'ogImage'],
  language: ['lang', 'language']
}

/** In lower case, as fields are named. */
export const knownFieldNames: readonly string[] = Object.values(names).flatMap(each =>
  each.map(name => name.toLowerCase())
)

export const saidOfPost = (fields: Readonly<Record<string, unknown>>): PostFields => ({
  title: textField(fields, ...names.title),
  slug: textField(fields, ...names.slug),
  excerpt: textField(fields, ...names.excerpt),
  categories: listField(fields, names.categories, { isByBlanks: fields.category === undefined }),
  tags: listField(fields, names.tags, { isByBlanks: true }),
  authors: listField(fields, names.authors),
  seo_description: textField(fields, ...names.seo_description),
  image: textField(fields, ...names.image),
  language: textField(fields, ...names.language)
})
