import path from 'node:path'
import type { GeneratorLink } from './page-links.ts'
import { foldersAbove } from './site/hugo.ts'
import { contentFolder, pageLanguageOf, pageNameOf, pagePathOf } from './site/page-path.ts'

/** The files of a folder, as the links of generators name them. */
export interface PageIndex {
  /** The file that a link of another leads to; null where there is none, or more than one. */
  find(link: GeneratorLink, from: string): string | null
}

const pageName = /\.(?:md|mdx|markdown|mkdown|mkdn?|mdown|html?)$/i

export function indexPages(files: readonly string[]): PageIndex {
  const byPath = new Map<string, string>()
  const byName = new Map<string, string | null>()
  for (const file of files) {
    const page = pagePathOf(file)
    const language = pageLanguageOf(file)
    if (language !== null) byPath.set(`${language}:${page}`, file)
    if (language === null || !byPath.has(page)) byPath.set(page, file)
    const name = pageNameOf(file).name.toLowerCase()
    const known = byName.get(name)
    byName.set(name, known === undefined || known === page ? page : null)
  }
  return {
    find({ system, target }, from) {
      const named = pageName.test(target) ? target : `${target.replace(/\/+$/, '')}.md`
      const language = pageLanguageOf(named) ?? pageLanguageOf(from)
      const candidates = system === 'hugo' ? pathsOfHugo(named, from) : pathsOfJekyll(named)
      const byBase =
        system === 'jekyll' || !named.includes('/') ? byName.get(pageNameOf(named).name.toLowerCase()) : null
      const pages = [...candidates.map(pagePathOf), ...(byBase == null ? [] : [byBase])]
      return (
        pages.map(page => byPath.get(`${language}:${page}`) ?? byPath.get(page)).find(file => file !== undefined) ??
        null
      )
    }
  }
}

/** From the page on, up to the root; or from the root alone. */
function pathsOfHugo(target: string, from: string): string[] {
  const [root = ''] = contentFolder.exec(from) ?? []
  const folders = target.startsWith('/') ? [root, ''] : foldersAbove(from).reverse()
  return folders.map(folder => path.posix.join(folder, target).replace(/^\/+/, ''))
}

/** `_posts` may be left out of the path, and stands below the category there. */
function pathsOfJekyll(target: string): string[] {
  const { dir, base } = path.posix.parse(target.replace(/^\/+/, ''))
  return [path.posix.join(dir, base), path.posix.join('_posts', dir, base), path.posix.join(dir, '_posts', base)]
}
