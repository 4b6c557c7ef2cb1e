import path from 'node:path'
import { fieldsIn, textField } from '#front-matter'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { globPattern } from './glob.ts'
import { pageLanguageOf, pagePathOf } from './page-path.ts'

/** What a section of Hugo, or its configuration, says of all pages below. Source: https://gohugo.io/content-management/front-matter/#cascade */
export interface Cascade extends FieldRule {
  isFor(file: string): boolean
}

/** More than anybody writes by hand: a file with more counts as one that cannot be read. */
const maxCascades = 200

/** Those of a file, of which the last counts most: of Hugo it is the first. */
export function cascadesOf(file: string, fields: SiteFields | null): Cascade[] {
  const given: readonly unknown[] = Array.isArray(fields?.cascade) ? fields.cascade : [fields?.cascade]
  if (fields === null || given.length > maxCascades) return [{ file, values: null, isFor: () => true }]
  return given
    .map(each => {
      const { target, _target, ...values } = fieldsIn(each)
      return { file, values, isFor: isTarget(fieldsIn(target ?? _target)) }
    })
    .reverse()
}

/** Which files are meant. A bound that is not known here counts as met. */
function isTarget(bounds: SiteFields): (file: string) => boolean {
  const patternOf = (name: string, isLower: boolean) => {
    const glob = textField(bounds, name)
    return glob === null ? () => true : globPattern(isLower ? glob.toLowerCase() : glob)
  }
  const isOfPath = patternOf('path', true)
  const isOfLanguage = patternOf('lang', true)
  const isOfSite = patternOf('kind', false)('page') && patternOf('environment', false)('production')
  return file => {
    const language = pageLanguageOf(path.posix.basename(file))
    return isOfSite && isOfPath(pagePathOf(file)) && (language === null || isOfLanguage(language))
  }
}
