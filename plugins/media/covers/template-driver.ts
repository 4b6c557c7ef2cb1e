import type { Settings } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { CoverOrder } from '../drawing/cover-order.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { CoverSettings } from './settings.ts'
import type { CoverDriver, CoverPost } from './source.ts'

export interface TemplateDriverDeps {
  settings: Pick<Settings<CoverSettings>, 'get'>
  published: Pick<PublishedPosts, 'site'>
  pictures: PictureProcess
}

/** A cover of a post, as it is drawn here. */
export const coverOrder = (
  { settings, published }: Pick<TemplateDriverDeps, 'settings' | 'published'>,
  { title, category, language }: CoverPost
): CoverOrder => ({
  format: 'post',
  template: settings.get('cover_template'),
  title,
  category: category?.name ?? '',
  site: published.site().title,
  language,
  fontFolder: settings.get('cover_fonts')
})

/** Covers with the title, the category and the name of the site. */
export function createTemplateDriver({ settings, published, pictures }: TemplateDriverDeps): CoverDriver {
  return {
    settingsFault: () => null,
    plan: async post => {
      const order = coverOrder({ settings, published }, post)
      return { from: order, make: signal => pictures.make({ name: 'drawCover', input: order }, signal) }
    }
  }
}
