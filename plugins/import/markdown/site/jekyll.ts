import path from 'node:path'
import { fieldsIn, flagField, listField, textField } from '#front-matter'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { fnmatchPattern, globPattern } from './glob.ts'
import { foldersAbove } from './hugo.ts'

/** What the configuration of Jekyll says of posts. Source: https://jekyllrb.com/docs/configuration/ */
export interface JekyllSite {
  /** Of its `defaults`, for a file. The last counts most. */
  rulesFor(file: string): FieldRule[]
  /** Why Jekyll shows nobody a file. */
  hiddenBy(file: string): string[]
  permalink: string | null
  /** Patterns of the address of a file in a collection, with its name and path in it; none elsewhere. */
  collectionPatterns(file: string, own: string | null): string[]
  url: string | null
  /** Its `baseurl`, or the `root` of Hexo. */
  prefix: string | null
  /** The folder of its posts and pages, where it is a site of Hexo, which has a configuration of the same name; else null. */
  hexoFolder: string | null
  timeZone: string | null
}

/** More than anybody writes by hand: a file with more counts as one that cannot be read. */
const maxDefaults = 100
const maxExcluded = 200

/** Of Hexo alone. */
const hexoNames = ['source_dir', 'new_post_name', 'permalink_defaults']
/** What it has by default. */
const ofHexo = ':year/:month/:day/:title/'

export function jekyllSite(name: string, config: SiteFields): JekyllSite {
  const collections = fieldsIn(config.collections)
  const isHexo = hexoNames.some(each => config[each] !== undefined)
  const roots = ['source', 'collections_dir', 'source_dir'].flatMap(each => textField(config, each) ?? [])
  const namesOf = (file: string) => [file, ...roots.flatMap(root => below(root, file))]
  // Those of Hexo, which has a configuration of the same name, are read, too.
  const patterns = listField(config, ['exclude', 'skip_render', 'ignore'])
  const excluded = patterns.length > maxExcluded ? [] : patterns.map(exclusionOf)
  const defaults = patterns.length > maxExcluded ? [unreadable] : defaultsOf(config)
  const shown = new Set([
    '_posts',
    '_drafts',
    ...listField(config, ['include']).map(each => each.replace(/\/+$/, '').toLowerCase()),
    ...Object.keys(collections).flatMap(each =>
      flagField(fieldsIn(collections[each]), 'output') === true ? [`_${each}`] : []
    )
  ])
  return {
    rulesFor(file) {
      const names = namesOf(file)
      return defaults.filter(each => each.isFor(file, names)).map(({ values }) => ({ file: name, values }))
    },
    hiddenBy(file) {
      const names = namesOf(file)
      const hidden = file.split('/').find(part => part.startsWith('_') && !shown.has(part.toLowerCase()))
      return [
        ...(hidden === undefined ? [] : [`Jekyll shows nothing of ${hidden}, so it is a draft`]),
        ...(excluded.some(isExcluded => names.some(isExcluded)) ? [`${name} excludes it, so it is a draft`] : [])
      ]
    },
    permalink:
      textField(fieldsIn(collections.posts), 'permalink') ?? textField(config, 'permalink') ?? (isHexo ? ofHexo : null),
    collectionPatterns: (file, own) =>
      namesOf(file)
        .flatMap(name => patternsOf(name, collections, own))
        .slice(0, 2),
    hexoFolder: isHexo ? (textField(config, 'source_dir') ?? 'source') : null,
    url: textField(config, 'url'),
    prefix: textField(config, isHexo ? 'root' : 'baseurl'),
    timeZone: textField(config, 'timezone')
  }
}

/** By default, and by a style, the name of the collection and the path in it, as a file or a folder. */
function patternsOf(file: string, collections: SiteFields, own: string | null): string[] {
  const [, name = '', inner = ''] = /^_([^/]+)\/(.+)\.[^./]+$/.exec(file) ?? []
  if (['', 'posts', 'drafts'].includes(name) || collections[name.toLowerCase()] === undefined) return []
  const pattern = own ?? textField(fieldsIn(collections[name.toLowerCase()]), 'permalink')
  const values = new Map(Object.entries({ collection: name, path: inner, name: path.posix.basename(inner) }))
  const patterns =
    pattern === null || !/[/:]/.test(pattern) ? ['/:collection/:path', '/:collection/:path.html'] : [pattern]
  return patterns.map(each => each.replace(/:(collection|path|name)\b/g, (_, key: string) => values.get(key) ?? ''))
}

interface Default {
  isFor(file: string, names: readonly string[]): boolean
  values: SiteFields | null
}

const unreadable: Default = { isFor: () => true, values: null }

/** Those of a longer path count more, and among them those of a type. */
function defaultsOf(config: SiteFields): Default[] {
  const given: readonly unknown[] = Array.isArray(config.defaults) ? config.defaults : []
  if (given.length > maxDefaults) return [unreadable]
  const scoped = given.map(each => {
    const { scope, values } = fieldsIn(each)
    const fields = fieldsIn(scope)
    return { folder: textField(fields, 'path') ?? '', type: textField(fields, 'type'), values: fieldsIn(values) }
  })
  scoped.sort((a, b) => a.folder.length - b.folder.length || Number(a.type !== null) - Number(b.type !== null))
  return scoped.map(({ folder, type, values }) => {
    const isInScope = scopeOf(folder)
    return { values, isFor: (file, names) => (type === null || typeOf(file) === type) && names.some(isInScope) }
  })
}

function typeOf(file: string): string {
  const folder = path.posix
    .dirname(file)
    .split('/')
    .find(part => part.startsWith('_'))
  return folder?.slice(1) ?? 'pages'
}

/** A file, a folder that it lies in, or a pattern of either. */
function scopeOf(scope: string): (file: string) => boolean {
  const name = scope.replace(/^\.?\/+|\/+$/g, '')
  const patterns = name.includes('*') ? [globPattern(name), globPattern(`${name}/**`)] : []
  return file => name === '' || `${file}/`.startsWith(`${name}/`) || patterns.some(isMet => isMet(file))
}

/** What a path begins with, or a pattern of it or of a folder that it lies in. */
function exclusionOf(pattern: string): (file: string) => boolean {
  const name = pattern.replace(/^\.?\/+/, '')
  const isMet = fnmatchPattern(name)
  return file => file.startsWith(name) || isMet(file) || foldersAbove(file).slice(1).some(isMet)
}

/** The path of a file below a folder; none where it lies elsewhere. */
function below(folder: string, file: string): string[] {
  const start = `${folder.replace(/^\.?\/+|\/+$/g, '')}/`
  return file.startsWith(start) ? [file.slice(start.length)] : []
}
