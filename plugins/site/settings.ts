import { setting, Type } from '#core'

/** `About=/posts/about, Shop=https://shop.example`. Two slashes before a path would be the address of another site. */
const menuEntry = '[^=,]{1,60}=(/(?![/\\\\])|https?://)[^\\s,]{0,300}'

/** Why a menu is refused when it is set. The schema takes these links: one that is stored must not take the others away. */
export function faultOfMenu(menu: string): string | null {
  const links = menu === '' ? [] : menu.split(',').map(link => link.split(/=(.*)/s))
  const areWhole = links.every(
    ([name = '', address = '']) => /\S/.test(name) && URL.canParse(address, 'https://localhost')
  )
  return areWhole ? null : 'must give each link a name and a whole address, such as About=/posts/about'
}

export const siteSettings = {
  site_posts_per_page: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    default: 10,
    describe: 'Posts on one page of the site: home, categories, tags, search and podcast.'
  }),
  site_navigation: setting(Type.String({ maxLength: 2000, pattern: `^(${menuEntry}(,${menuEntry})*)?$` }), {
    default: '',
    describe:
      "Links in the menu before the site's own, each a path from / or an https:// address: About=/posts/about, Shop=https://shop.example."
  }),
  site_logo_url: setting(
    Type.Refine(
      Type.String({ maxLength: 1000, pattern: '^((https?://[^\\s/?#]|/[^/\\\\\\s])[^\\s]*)?$' }),
      text => URL.canParse(text, 'https://localhost'),
      () => 'must be an address with a valid host, and a port up to 65535, or a path from /'
    ),
    {
      default: '',
      describe:
        'Picture beside the name of the site, shown 32 pixels high: a path from / or an https:// address; empty: none.'
    }
  ),
  site_indexed: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether search engines may list the site; false for a copy that only some people are to find.'
  }),
  site_export: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether the static export has the pages of the site, too, beside its JSON.'
  }),
  site_theme: setting(Type.String({ maxLength: 500, pattern: '^(\\S(.*\\S)?)?$' }), {
    default: '',
    isMachine: true,
    describe:
      "Theme of the site: a package installed beside plugins.config.json, or a folder with one; empty: galley's own."
  })
}
