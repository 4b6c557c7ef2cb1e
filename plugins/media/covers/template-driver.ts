import type { Db, Settings } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { CoverDesign } from '../drawing/cover-design.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { CoverSettings } from './settings.ts'
import type { CoverDriver, CoverPost, SettingsFault } from './source.ts'

export interface TemplateDriverDeps {
  settings: Pick<Settings<CoverSettings>, 'get'>
  db: Db
  published: Pick<PublishedPosts, 'site' | 'pages'>
  pictures: PictureProcess
}

/** A cover of a post, as it is drawn here. */
export const coverDesign = (
  { settings, published }: Pick<TemplateDriverDeps, 'settings' | 'published'>,
  { title, category, language }: CoverPost
): CoverDesign => ({
  format: 'post',
  template: settings.get('cover_template'),
  title,
  category: category?.name ?? '',
  site: published.site().title,
  language,
  fontFolder: settings.get('cover_fonts')
})

/** Covers with the title, the category and the name of the site. */
export function createTemplateDriver({ settings, db, published, pictures }: TemplateDriverDeps): CoverDriver {
  return {
    settingsFault: () => null,
    findFault: async () => (settings.get('cover_fonts') === '' ? findUnwritten(db, published) : null),
    plan: async post => {
      const design = coverDesign({ settings, published }, post)
      return { from: design, make: signal => pictures.make({ name: 'drawCover', input: design }, signal) }
    }
  }
}

/** A letter that none of the bundled fonts has. */
const unwritable =
  /(?=\p{L})[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Common}]/u
const maxTitles = 100

/** A title that is left out of its cover, among the newest. */
async function findUnwritten(db: Db, published: Pick<PublishedPosts, 'pages'>): Promise<SettingsFault | null> {
  const found = (await newestPosts(db, published)).find(({ post }) => unwritable.test(post.title))
  if (found === undefined) return null
  const { slug } = found.post
  return {
    found: `The cover of ${slug} has no title: the bundled fonts have Latin, Greek, Cyrillic, Arabic and Hebrew letters.`,
    remedy: 'Put a font of its script into a folder, set cover_fonts to it, then run galley media refresh.'
  }
}

async function newestPosts(db: Db, published: Pick<PublishedPosts, 'pages'>) {
  for await (const posts of published.pages(db, maxTitles)) return posts
  return []
}
