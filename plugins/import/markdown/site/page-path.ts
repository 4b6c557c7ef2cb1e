import path from 'node:path'

/** As Hugo names translations: `about.ja.md`, `about/index.pt-br.md`. */
const translated = /^(.+)\.([a-z]{2}(?:-[a-z]{2,4}){0,2})$/i

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** A folder with an `index.md` is a post, as Hugo and Astro have it. */
export function pageNameOf(file: string): { name: string; language: string | null } {
  const { name: whole, dir } = path.posix.parse(file)
  const [, named, code = ''] = translated.exec(whole) ?? []
  // `node.js` names none.
  const isLanguage = named !== undefined && languages.of(code.slice(0, 2)) !== undefined
  const [base, language] = isLanguage ? [named, code] : [whole, null]
  return { name: base === 'index' && dir !== '' ? path.posix.basename(dir) : base, language }
}

export const isHtmlFile = (file: string): boolean => /\.html?$/i.test(file)

/** The language in the name of a file, in lower case; null where it names none. */
export const pageLanguageOf = (file: string): string | null => pageNameOf(file).language?.toLowerCase() ?? null

/** Where generators have their pages: no part of an address. */
export const contentFolder = /^(?:src\/)?(?:content|pages)(?:\/|$)/

/** Of a post that is a folder: the file in it. */
export const isIndexFile = (file: string): boolean => /\/index\.[^/]+$/.test(file)

/** The folders of a page below the content: `posts` and `2020` of `content/posts/2020/tides.md`. */
export const sectionsOf = (file: string): string[] => pagePathOf(file).split('/').slice(1, -1)

/** As Hugo knows a page: `/posts/tides` for `content/posts/Tides.de.md` and `content/posts/tides/index.md`. */
export function pagePathOf(file: string): string {
  const folder = path.posix.dirname(isIndexFile(file) ? path.posix.dirname(file) : file)
  return path.posix.join('/', `${folder}/`.replace(contentFolder, ''), pageNameOf(file).name).toLowerCase()
}
