import path from 'node:path'
import type { FieldRule, SiteFields } from './field-rule.ts'
import { foldersAbove, type ReadFields } from './hugo.ts'

/** What data beside posts may say of them. Others, such as tags, are names of lists there. */
const names = ['draft', 'published', 'permalink', 'author', 'lang', 'language']

/** Eleventy's data of a folder and of a file, by what they say. Source: https://www.11ty.dev/docs/data-template-dir/ */
export function directoryData(root: string, data: ReadFields): (file: string) => FieldRule[] {
  const rules = new Map([...data].map(([file, fields]) => [file, { file, values: fields && picked(fields) }]))
  return file => {
    if (rules.size === 0) return []
    const ofFolders = foldersAbove(file).map(folder =>
      path.posix.join(folder, folder === '.' ? path.basename(root) : path.posix.basename(folder))
    )
    const { dir, name } = path.posix.parse(file)
    return [...ofFolders, path.posix.join(dir, name)].flatMap(base =>
      ['.json', '.11tydata.json'].flatMap(end => rules.get(base + end) ?? [])
    )
  }
}

const picked = (fields: SiteFields): SiteFields =>
  Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])))
