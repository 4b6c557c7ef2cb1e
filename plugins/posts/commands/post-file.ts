import { bounded, LimitError } from '#child-process'
import { moduleAt } from '#child-process/fork'
import { InputError, type Terminal } from '#core'
import { oneLine, truncateText } from '#text/excerpts'
import { type PostPatch, patchFaults } from '../edits.ts'
import type { ParsedPostFile } from './parse-post-file.ts'

const parse = bounded<ParsedPostFile>(moduleAt('./parse-post-file', import.meta.url), 'parsePostFile')

/** A markdown file of a post: its text, and what its front matter says. */
interface PostFile {
  body: string
  fields: Omit<PostPatch, 'content'>
}

/** How a file with front matter begins. Others need no process that reads them. */
const begins = /^\ufeff?(?:---|\+\+\+|\{)/

/** Divides a file. What a post has no place for is reported. @throws InputError for front matter that is none, UnavailableError */
export async function readPostFile(file: string, actor: string, terminal: Terminal): Promise<PostFile> {
  if (!begins.test(file)) return { body: file, fields: {} }
  const { body, said, others } = await parse(file, actor).catch(refuse)
  const { fields, left } = fieldsOf(said)
  const faults = patchFaults(fields)
  if (Object.keys(faults).length > 0)
    throw new InputError(faults, 'The front matter has what a post may not have: correct it, or leave it out.')
  const notTaken = [...others, ...left]
  if (notTaken.length > 0) terminal.note(`Not taken from the front matter: ${truncateText(notTaken.join(', '), 300)}.`)
  return { body, fields }
}

function refuse(error: unknown): never {
  if (!(error instanceof LimitError)) throw error
  throw new InputError(
    { 'from-file': oneLine(error.message) },
    'The front matter of the file cannot be read. If the file has none, begin it with an empty line.'
  )
}

/** An address, or a path of the site: the pictures of a folder are taken by `galley import`. */
const imageAddress = /^(https?:\/\/[^\s/]|\/[^/\s])/

/** A post has one category: the others become tags, as in an import. */
function fieldsOf({ image, categories, authors, ...said }: ParsedPostFile['said']) {
  const { title, slug, excerpt, seo_description, language, niche } = said
  const [category, ...others] = categories
  const tags = [...new Set([...others, ...said.tags])]
  const isAddress = image !== null && imageAddress.test(image)
  const fields: PostFile['fields'] = {
    ...(title === null ? {} : { title: oneLine(title) }),
    ...(slug === null ? {} : { slug }),
    ...(excerpt === null ? {} : { excerpt }),
    ...(category === undefined ? {} : { category }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(authors.length === 0 ? {} : { author: authors.join(', ') }),
    ...(seo_description === null ? {} : { seo_description }),
    ...(language === null ? {} : { language }),
    ...(niche === null ? {} : { niche_slug: niche }),
    ...(isAddress ? { featured_image_url: image } : {})
  }
  return { fields, left: image === null || isAddress ? [] : ['image'] }
}
