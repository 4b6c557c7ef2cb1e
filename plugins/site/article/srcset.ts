import type { SizedPicture } from '#plugins/media'

/** A wider picture is sent only to browsers that know no `srcset`: nobody's screen shows more of it. */
const maxSourceWidth = 2400

/**
 * The value of `srcset`; null where there is nothing to choose from. `address` is that of the picture as the page links it, and
 * `link` links its narrower forms likewise.
 */
export function srcsetOf(address: string, picture: SizedPicture, link: (url: string) => string): string | null {
  const { width, renditions } = picture
  // A space or a comma would end the address.
  if (renditions.length === 0 || /[\s,]/.test(address)) return null
  const narrower = renditions.map(each => `${link(each.url)} ${each.width}w`)
  return (width > maxSourceWidth ? narrower : [...narrower, `${address} ${width}w`]).join(', ')
}
