import { type FieldErrors, InputError, slugPattern } from '#core'
import { languageTag, type Posts } from '#plugins/posts'
import { oneLine } from '#text/excerpts'
import type { PageText } from './repository/pages.ts'

const maxSlugLength = 80
const maxTitleLength = 300

/** What an operator writes; `title` defaults to the first H1, `language` to the setting `site_language`. */
export interface PageInput {
  slug: string
  title?: string | undefined
  language?: string | undefined
  /** Markdown. */
  content: string
}

/** What is wrong with the words of a page; `content` is not looked at. */
export function pageFaults({ slug, title, language }: Partial<Omit<PageInput, 'content'>>): FieldErrors {
  const isSlug = slug === undefined || (slug.length <= maxSlugLength && new RegExp(slugPattern).test(slug))
  const isTitle = title === undefined || (oneLine(title) !== '' && title.length <= maxTitleLength)
  const isTag =
    language === undefined ||
    (language.length <= languageTag.maxLength && new RegExp(languageTag.pattern).test(language))
  return {
    ...(isSlug
      ? {}
      : {
          slug: `is not a slug: lower-case letters and digits in words joined by -, at most ${maxSlugLength} characters`
        }),
    ...(isTitle ? {} : { title: `must be 1 to ${maxTitleLength} characters, not only blanks` }),
    ...(isTag ? {} : { language: 'is not a BCP 47 language tag, such as en or pt-BR' })
  }
}

/**
 * What is stored of it. Call it before the transaction: rendering takes a moment, in another process.
 * @throws InputError; UnavailableError when too many texts wait to be rendered
 */
export async function pageTextOf(
  render: Posts['render'],
  { slug, title, language, content }: PageInput
): Promise<PageText> {
  const { content_html, heading } = await render(content, 'operator')
  if (content_html.trim() === '') throw new InputError({ file: 'has no text that readers would see' })
  const named = title ?? heading ?? undefined
  if (named === undefined) throw new InputError({ title: 'is needed: the text has no heading of the first level' })
  const faults = pageFaults({ slug, title: named, language })
  if (Object.keys(faults).length > 0) throw new InputError(faults)
  return { slug, title: oneLine(named), language: language ?? null, content, content_html }
}
