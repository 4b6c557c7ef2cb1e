import path from 'node:path'
import { fieldsIn, textField } from '#front-matter'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { matchesGlob } from './glob.ts'
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
      const bounds = fieldsIn(target ?? _target)
      return { file, values, isFor: (post: string) => isTarget(bounds, post) }
    })
    .reverse()
}

/** A bound that is not known here counts as met. */
function isTarget(bounds: SiteFields, file: string): boolean {
  const [kind, glob, language] = ['kind', 'path', 'lang'].map(name => textField(bounds, name))
  const environment = textField(bounds, 'environment')
  const own = pageLanguageOf(path.posix.basename(file))
  return (
    (kind == null || matchesGlob(kind, 'page')) &&
    (glob == null || matchesGlob(glob.toLowerCase(), pagePathOf(file))) &&
    (language == null || own === null || matchesGlob(language.toLowerCase(), own)) &&
    (environment === null || matchesGlob(environment, 'production'))
  )
}
