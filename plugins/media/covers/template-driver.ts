import type { Settings } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { CoverOrder } from '../drawing/cover-order.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { CoverSettings } from './settings.ts'
import type { CoverDriver } from './source.ts'

export interface TemplateDriverDeps {
  settings: Pick<Settings<CoverSettings>, 'get'>
  published: Pick<PublishedPosts, 'site'>
  pictures: PictureProcess
}

/** Covers with the title, the category and the name of the site. */
export function createTemplateDriver({ settings, published, pictures }: TemplateDriverDeps): CoverDriver {
  return {
    settingsFault: () => null,
    plan: async ({ title, category, language }) => {
      const order: CoverOrder = {
        format: 'post',
        template: settings.get('cover_template'),
        title,
        category: category?.name ?? '',
        site: published.site().title,
        language,
        fontFolder: settings.get('cover_fonts')
      }
      return { from: order, make: signal => pictures.make({ name: 'drawCover', input: order }, signal) }
    }
  }
}
