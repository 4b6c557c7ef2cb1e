import type { PluralText, SiteText, TextsByLanguage } from '../texts/texts.ts'
import type { PageKind, Theme } from '../views.ts'
import { type LoadedTheme, maxFileLength } from './theme-messages.ts'

export const pageKinds: readonly PageKind[] = [
  'home',
  'label',
  'archive',
  'post',
  'staticPage',
  'search',
  'podcast',
  'failure'
]

/** What a package exports as its theme. @throws TypeError that says what is wrong with it */
export function readTheme(exported: unknown): { theme: Partial<Theme>; loaded: Omit<LoadedTheme, 'version'> } {
  if (!isRecord(exported)) throw new TypeError('its default export is no theme.')
  const stylesheet = textOf(exported, 'stylesheet')
  const icon = textOf(exported, 'icon')
  const script = exported.script === undefined ? null : textOf(exported, 'script')
  const missing = pageKinds.filter(kind => typeof exported[kind] !== 'function')
  if (missing.length === pageKinds.length) throw new TypeError('it has no template.')
  return { theme: exported, loaded: { files: { stylesheet, icon, script }, texts: readTexts(exported.texts), missing } }
}

function textOf(theme: Readonly<Record<string, unknown>>, name: string): string {
  const text = theme[name]
  if (typeof text !== 'string' || text === '') throw new TypeError(`its ${name} is not a text.`)
  if (text.length > maxFileLength) throw new TypeError(`its ${name} has more than ${maxFileLength} characters.`)
  return text
}

function readTexts(texts: unknown = {}): TextsByLanguage {
  if (!isRecord(texts)) throw new TypeError('its texts are no object.')
  return Object.fromEntries(
    Object.entries(texts).map(([language, each]) => {
      if (!isRecord(each)) throw new TypeError(`its texts of ${language} are no object.`)
      const read = Object.entries(each).map(([key, text]): [string, SiteText] => {
        if (isText(text)) return [key, text]
        throw new TypeError(`its text ${key} of ${language} is neither a text nor plural forms with other.`)
      })
      return [language, Object.fromEntries(read)]
    })
  )
}

const isText = (text: unknown): text is SiteText => typeof text === 'string' || isPlural(text)

const isPlural = (text: unknown): text is PluralText =>
  isRecord(text) && typeof text.other === 'string' && Object.values(text).every(form => typeof form === 'string')

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
