import { setting, Type } from '#core'

export const siteSettings = {
  site_posts_per_page: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    default: 10,
    describe: 'Posts on one page of the site: home, categories, tags, search and podcast.'
  }),
  site_indexed: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether search engines may list the site; false for a copy that only some people are to find.'
  })
}
