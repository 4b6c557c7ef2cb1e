/** A link to another file, as `ref` of Hugo and `post_url` and `link` of Jekyll have it. */
export interface GeneratorLink {
  system: 'hugo' | 'jekyll'
  /** As it stands there, without what follows `#`. */
  target: string
  /** With its `#`, or empty. */
  fragment: string
}

/** The links of a text. In it each is `mark`, its number and a dot. */
export interface MarkedLinks {
  mark: string
  links: GeneratorLink[]
}

/** Puts addresses into a text. One that is not known gets what its generator would make by default, and its target is returned. */
export function withAddresses(
  text: string,
  { mark, links }: MarkedLinks,
  addressOf: (link: GeneratorLink) => string | null
): { text: string; unknown: string[] } {
  const unknown = new Set<string>()
  if (links.length === 0) return { text, unknown: [] }
  const replaced = text.replaceAll(new RegExp(`${mark}(\\d+)\\.`, 'g'), (_, number: string) => {
    const link = links[Number(number)]
    if (link === undefined) return ''
    const address = link.target === '' ? '' : addressOf(link)
    if (address === null && isPage(link)) unknown.add(link.target)
    // A blank would end the address.
    return `${address ?? defaultAddress(link)}${link.fragment}`.replace(/\s/g, '%20')
  })
  return { text: replaced, unknown: [...unknown] }
}

/** Jekyll's `link` may lead to any file, such as a document. */
const isPage = ({ target }: GeneratorLink): boolean => !/\.(?!(?:md|mdx|markdown|html?)$)[a-z]\w{0,4}$/i.test(target)

const defaultAddress = ({ system, target }: GeneratorLink): string =>
  system === 'hugo' ? `/${target.replace(/^\/|(?:\/?_?index)?\.md$/g, '')}` : postPath(target.replace(/^_posts\//, ''))

/** The path that Jekyll gives a post by default. */
function postPath(name: string): string {
  const [, year, month, day, slug] = /(\d{4})-(\d\d)-(\d\d)-([^/]+?)(?:\.\w+)?$/.exec(name) ?? []
  return slug === undefined ? `/${name}` : `/${year}/${month}/${day}/${slug}.html`
}
