import { basePathOf } from './base-path.ts'
import type { SiteView } from './views.ts'

/** Pages of the export: each is the `index.html` of a folder, so its address ends with a slash. */
const pagePlace =
  /^\/(?:|archive(?:\/[\d-]+){0,2}|podcast(?:\/\d+){0,2}|(?:posts|pages)\/[a-z0-9-]+|(?:categories|tags)\/[a-z0-9-]+(?:\/\d+){0,2})\/?$/
const filePlace = /^\/(?:feed\.xml|feed\.json|sitemap\.xml|sitemap-pages\.xml)$/
/** A file of a theme, as `assetsOf` links it: by the hash of its content. */
const themePlace = /^\/site\/(\w+)\.(\w+)\?v=(\w+)$/

/** Where a file of a theme lies in the export. Its name has the hash, so that no page is shown with another's. */
export const assetPath = (place: string): string => place.replace(themePlace, 'site/$1-$3.$2')

/**
 * How exported pages name places. `root` is where the export is read, `service` the service: both addresses without a slash at
 * the end. What the export does not have, such as sound, is linked at the service.
 */
export function exportLinks({
  root,
  service
}: {
  root: string
  service: string
}): Pick<SiteView, 'path' | 'absolute' | 'link' | 'hasFeed'> {
  const base = basePathOf(root)
  const { origin } = new URL(root)
  const path = (place: string): string => {
    const [, name = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(place) ?? []
    if (themePlace.test(place)) return `${base}/${assetPath(place)}`
    if (filePlace.test(name)) return base + place
    return pagePlace.test(name) ? `${base}${name.replace(/\/?$/, '/')}${rest}` : service + place
  }
  return {
    path,
    link(url) {
      if (url.startsWith(`${service}/`)) return path(url.slice(service.length))
      return /^\/(?!\/)/.test(url) ? path(url) : url
    },
    absolute: url => (url.startsWith('/') ? origin + url : url),
    hasFeed: place => filePlace.test(place)
  }
}

/**
 * Where the export is read: before `/posts/{slug}` in the addresses of posts where they have that form, else at the service.
 */
export function rootOf(addressOf: (slug: string) => string, service: string): string {
  const [, root] = /^(https?:\/\/[^?#]*)\/posts\/slug\/?$/.exec(addressOf('slug')) ?? []
  return root ?? service
}
