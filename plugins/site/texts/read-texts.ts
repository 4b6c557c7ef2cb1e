import { createBoundedMap } from '#core'
import { languages } from './languages.ts'
import type { ReadText, SiteText, TextsByLanguage, TextValues } from './texts.ts'

const fallback = 'en'

/**
 * Reads the texts of a language. Of `pt-BR` those of `pt` stand in where it has none, then English ones. `added` comes first,
 * the earlier before the later.
 */
export function createTexts(language: string, added: readonly TextsByLanguage[] = []): ReadText {
  const all = [...added.map(lowerKeys), languages]
  const tags = tagsOf(language)
  const find = (key: string): Found | undefined => {
    for (const tag of tags)
      for (const texts of all) {
        const text = texts[tag]?.[key]
        if (text !== undefined) return { text, language: tag }
      }
    return undefined
  }
  const read = (key: string, values: TextValues): string => {
    const found = find(key)
    return found === undefined ? key : put(formOf(found, values), values, language)
  }
  const counted = createBoundedMap<string, string>({ maxEntries: () => maxCounted })
  return (key, values = {}) => {
    const { count, ...others } = values
    if (typeof count !== 'number' || Object.keys(others).length > 0) return read(key, values)
    return counted.getOrCompute(`${key} ${count}`, () => read(key, values))
  }
}

/** Texts with a number, such as how long a post takes to read: every list has them, and most are the same. */
const maxCounted = 200

interface Found {
  text: SiteText
  language: string
}

/** `zh-hant-tw`, `zh-hant`, `zh`, `en` */
function tagsOf(language: string): string[] {
  const parts = language.toLowerCase().split('-')
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('-')), fallback]
}

const lowerKeys = (texts: TextsByLanguage): TextsByLanguage =>
  Object.fromEntries(Object.entries(texts).map(([tag, each]) => [tag.toLowerCase(), each]))

function formOf({ text, language }: Found, { count }: TextValues): string {
  if (typeof text === 'string') return text
  return text[pluralRules(language).select(Number(count ?? 0))] ?? text.other
}

const put = (text: string, values: TextValues, language: string): string => {
  if (!text.includes('{')) return text
  return text.replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = values[name]
    if (value === undefined) return mark
    return typeof value === 'number' ? numberFormat(language).format(value) : value
  })
}

const pluralRules = formatsBy(language => new Intl.PluralRules(language))
/** Writes numbers as a language does. */
export const numberFormat = formatsBy(language => new Intl.NumberFormat(language))

/** Such objects are dear to make. A language tag may have the form of one and mean none: English then. */
function formatsBy<Format>(create: (language: string) => Format): (language: string) => Format {
  const made = new Map<string, Format>()
  return language => {
    const known = made.get(language)
    if (known !== undefined) return known
    const format = createOrFallBack(create, language)
    if (made.size < 100) made.set(language, format)
    return format
  }
}

function createOrFallBack<Format>(create: (language: string) => Format, language: string): Format {
  try {
    return create(language)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return create(fallback)
  }
}
