import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { FileFault, readPlainFile } from '../read-texts.ts'
import { globPattern } from './glob.ts'

/** Why generators leave files out whose fields say nothing of it. */
export type LeftOut = (file: string) => string[]

const ignoreFile = '.eleventyignore'
/** More than anybody writes by hand: a file with more counts as one that ignores everything. */
const maxIgnored = 200

/** By the names of files, of the folders around them, and what Eleventy ignores. `root`: of the site. */
export async function leftOutOf(root: string): Promise<LeftOut> {
  const names: string[] = await readdir(root).catch(() => [])
  const ignores = names.includes(ignoreFile) ? ignoredBy(await readPlainFile(root, ignoreFile)) : () => false
  const isDocusaurus = names.some(name => /^docusaurus\.config\.[cm]?[jt]s$/.test(name))
  const whole = root.split(path.sep).join('/')
  return file => [
    ...(ignores(file) ? [`${ignoreFile} has it, so it is a draft`] : []),
    ...(isDocusaurus && /(?:^|\/)_/.test(file) ? ['Docusaurus leaves out what begins with _, so it is a draft'] : []),
    ...(isLeftByAstro(file, whole) ? ['Astro leaves out what begins with _, so it is a draft'] : []),
    ...(whole.split('/').includes('_drafts') ? ['it lies in _drafts, so it is a draft'] : [])
  ]
}

/** A file, or a folder around its pages, whose name begins with `_`. Its collections lie anywhere below `src`. */
const isLeftByAstro = (file: string, root: string): boolean =>
  /(?:^|\/)src\/(?:(?:content|pages)\/(?:.*\/)?_|(?:.*\/)?_[^/]*$)/.test(file) ||
  /\/src\/(?:content|data|pages)\/(?:.*\/)?_[^/]*$/.test(`${root}/${file}`)

function ignoredBy(text: string | FileFault): (file: string) => boolean {
  if (text instanceof FileFault) return () => true
  const lines = text.split('\n').map(line => line.trim())
  // What one with `!` takes back is ignored nevertheless: it is a draft.
  const given = lines.filter(line => line !== '' && !/^[#!]/.test(line))
  if (given.length > maxIgnored) return () => true
  const patterns = given.map(line => line.replace(/^\.?\/+|(?:\/\**)?$/g, ''))
  const ignored = patterns.flatMap(name => {
    const anywhere = name.includes('/') ? name.replace(/^\*\*\//, '') : `**/${name}`
    return [name, `${name}/**`, anywhere, `${anywhere}/**`].map(globPattern)
  })
  return file => ignored.some(isMet => isMet(file))
}
