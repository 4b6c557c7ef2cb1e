import path from 'node:path'
import { FileFault, readSettingsFiles } from '../read-texts.ts'
import { type FieldRule, isDeciding, type SiteFields } from './field-rule.ts'
import { foldersAbove, type ReadFields } from './hugo.ts'

/** What data beside posts may say of them. Others, such as tags, are names of lists there. */
const otherNames = ['eleventycomputed', 'author', 'lang', 'language']
/** So many are in the memory at once, each with all that it has. */
const filesAtOnce = 8
/** More than anybody writes by hand: a file that says more of posts counts as one that cannot be read. */
const maxLength = 10_000

/** Of each file, whatever else it has, only what it may say of posts. */
export async function readDirectoryData(root: string, files: readonly string[]): Promise<ReadFields> {
  const found = new Map<string, SiteFields | null>()
  for (let from = 0; from < files.length; from += filesAtOnce)
    for (const [file, read] of await readSettingsFiles(root, files.slice(from, from + filesAtOnce)))
      found.set(file, read instanceof FileFault ? null : picked(read))
  return found
}

/** Eleventy's data of a folder and of a file, by what they say. Source: https://www.11ty.dev/docs/data-template-dir/ */
export function directoryData(root: string, data: ReadFields): (file: string) => FieldRule[] {
  const rules = new Map([...data].map(([file, fields]) => [file, { file, values: fields }]))
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

function picked(fields: SiteFields): SiteFields | null {
  const values = Object.fromEntries(
    Object.entries(fields).filter(([name]) => otherNames.includes(name) || isDeciding(name))
  )
  return JSON.stringify(values).length > maxLength ? null : values
}
